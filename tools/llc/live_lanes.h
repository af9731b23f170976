// Which lanes of a virtual register LLVM's live intervals call live, where that is not plain from the MIR.

#ifndef REGTRIAGE_LLC_LIVE_LANES_H
#define REGTRIAGE_LLC_LIVE_LANES_H

namespace llvm {
class LiveIntervals;
class MachineFunction;
class raw_ostream;
} // namespace llvm

namespace regtriage {

/// Writes, for one function and one allocation, the lines
///
///     function NAME ALLOCATION
///     in BLOCK REGISTER LANES            lanes live into BLOCK, where these are some but not all of the
///     class edge PREDECESSOR BLOCK REGISTER LANES    lanes live into BLOCK and not out of PREDECESSOR
///
/// BLOCK and REGISTER are the numbers that MIR prints after "bb." and "%"; LANES is a lane mask in
/// hexadecimal. On an edge line the lanes are undefined along that edge: the coalescer removes the
/// IMPLICIT_DEF that would have told, and no text of the function shows it.
///
/// Ordered by register, then block, then predecessor as the block lists them.
void printLiveLanes(llvm::raw_ostream &OS, const llvm::MachineFunction &MF, const llvm::LiveIntervals &LIS,
                    unsigned Allocation);

} // namespace regtriage

#endif
