// The MIR of every stage of register allocation, printed while one compilation runs.

#ifndef REGTRIAGE_LLC_STAGES_H
#define REGTRIAGE_LLC_STAGES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/LegacyPassManager.h"

namespace regtriage {

/// Which run of the greedy allocator in the pipeline is at work, counted from 0 as in `-stop-after=greedy,N`.
/// AMDGPU runs it for SGPRs, whole-wave-mode registers and VGPRs, other targets once.
unsigned currentAllocation();

/// A pass manager that surrounds passes of register allocation with passes that print the MIR.
///
/// A printing pass changes nothing and preserves every analysis, so the code that comes out is that of a
/// compilation without it. A file is named NN-WHEN-PASS-N.mir: NN counts the files in the order of the
/// pipeline, WHEN is "before" or "after", PASS is LLVM's name of the pass, N counts its runs from 0.
class StagePassManager : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *P) override;

private:
  void printStage(const llvm::Twine &Name);

  llvm::StringMap<unsigned> Runs;
  unsigned Sequence = 0;
};

} // namespace regtriage

#endif
