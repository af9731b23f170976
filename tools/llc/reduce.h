// Makes a module smaller in one named way, before it is compiled: a candidate of test-case reduction.
#ifndef REGTRIAGE_REDUCE_H
#define REGTRIAGE_REDUCE_H

#include "llvm/IR/Module.h"
#include <memory>
#include <string>

namespace regtriage {

/// Whether a reduction is asked for (-reduce-pass).
bool wantsReduction();

/// Whether only the number of its targets is asked for (-reduce-count).
bool wantsReductionCount();

/// The number of places where the pass could act on the module, or -1 if there is no such pass.
int countReductionTargets(llvm::Module &M);

/// Acts on the targets of -reduce-drop, writes the module to -reduce-output, and puts what reading that gives in
/// its place. Returns what is wrong, or "".
std::string reduceModule(std::unique_ptr<llvm::Module> &M);

} // namespace regtriage

#endif
