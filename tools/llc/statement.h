// Inline assembly that is only a comment: which values are made and read there, and nothing more.

#ifndef REGTRIAGE_LLC_STATEMENT_H
#define REGTRIAGE_LLC_STATEMENT_H

#include <string>
#include <utility>
#include <vector>

namespace llvm {
class CallInst;
class InlineAsm;
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace regtriage {

/// Outputs, Clobbers: constraints, with "=" and "~". Inputs: constraints and what is read. Made: the result's type.
struct Statement {
  std::vector<std::string> Outputs, Clobbers;
  std::vector<std::pair<std::string, llvm::Value *>> Inputs;
  llvm::Type *Made = nullptr;
};

/// The assembly of a call that is a statement, else null.
const llvm::InlineAsm *commentOf(const llvm::Instruction &I);

/// What a call that is a statement says.
Statement readStatement(const llvm::CallInst &Call);

/// A new call that says so, with the comment spelt anew.
llvm::CallInst *writeStatement(const Statement &What, llvm::Instruction *Before);

} // namespace regtriage

#endif
