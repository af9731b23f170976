// Tuples of registers as IR has them, and how they become shorter.

#ifndef REGTRIAGE_LLC_TUPLES_H
#define REGTRIAGE_LLC_TUPLES_H

#include "llvm/IR/ValueHandle.h"
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace regtriage {

/// Vector values of one type that are made of each other: by PHIs, selects, freezes, insertions of elements. They begin
/// with constants and with what statements make, and statements and extractions of elements read them.
class TupleWeb {
public:
  explicit TupleWeb(std::vector<llvm::WeakTrackingVH> Members) : Members(std::move(Members)) {}

  /// Leaves their first half. What is inserted beyond it is left out, what is extracted beyond it is zero.
  void halve();

private:
  std::vector<llvm::WeakTrackingVH> Members;
};

/// Those of a function that can become shorter, of four elements or more, in the order of their first values.
std::vector<TupleWeb> tupleWebs(llvm::Function &F);

} // namespace regtriage

#endif
