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
///     in BLOCK REGISTER LANES                 lanes live into BLOCK: some, but not all of the class
///     edge PREDECESSOR BLOCK REGISTER LANES   lanes live into BLOCK and not out of PREDECESSOR
///     read BLOCK POSITION REGISTER LANES      lanes that an instruction reads and no value reaches
///
/// BLOCK and REGISTER are the numbers that MIR prints after "bb." and "%"; POSITION counts the instructions of
/// the block from 0, as MIR prints them; LANES is a lane mask in hexadecimal. The lanes of an edge line are
/// undefined along that edge, those of a read line where they are read: the coalescer removes the IMPLICIT_DEF
/// that would have told, and no text of the function shows it. Lanes that the text never defines have no read
/// line.
///
/// Lines of borders first, by register, then block, then predecessor as the block lists them; then reads by
/// block and position.
void printLiveLanes(llvm::raw_ostream &OS, const llvm::MachineFunction &MF, const llvm::LiveIntervals &LIS,
                    unsigned Allocation);

} // namespace regtriage

#endif
