#include "statement.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regtriage {

const InlineAsm *commentOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const auto *Assembly = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  if (!Assembly || !StringRef(Assembly->getAsmString()).starts_with(";") || Call->getNumOperandBundles() != 0)
    return nullptr;
  // Inputs tied to outputs, and operands in memory, are nothing to move about.
  for (const InlineAsm::ConstraintInfo &Info : Assembly->ParseConstraints())
    if (Info.isIndirect || Info.hasMatchingInput() || Info.isMultipleAlternative ||
        (Info.Type == InlineAsm::isInput && isDigit(Info.Codes.front().front())))
      return nullptr;
  return Assembly;
}

Statement readStatement(const CallInst &Call) {
  Statement Result;
  Result.Made = Call.getType();
  unsigned Input = 0;
  SmallVector<StringRef, 8> Pieces;
  const auto *Assembly = cast<InlineAsm>(Call.getCalledOperand());
  StringRef(Assembly->getConstraintString()).split(Pieces, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Piece : Pieces) {
    if (Piece.starts_with("="))
      Result.Outputs.push_back(Piece.str());
    else if (Piece.starts_with("~"))
      Result.Clobbers.push_back(Piece.str());
    else
      Result.Inputs.emplace_back(Piece.str(), Call.getArgOperand(Input++));
  }
  return Result;
}

CallInst *writeStatement(const Statement &What, Instruction *Before) {
  std::string Text = What.Outputs.empty() ? ";" : "; def", Constraints;
  unsigned Number = 0;
  const auto Append = [&](StringRef Constraint) {
    Constraints += (Constraints.empty() ? "" : ",") + Constraint.str();
  };
  for (const std::string &Output : What.Outputs) {
    Text += " $" + std::to_string(Number++);
    Append(Output);
  }
  if (!What.Inputs.empty())
    Text += Number ? ", use" : " use";
  std::vector<Type *> Types;
  std::vector<Value *> Values;
  for (const auto &[Constraint, V] : What.Inputs) {
    Text += " $" + std::to_string(Number++);
    Append(Constraint);
    Types.push_back(V->getType());
    Values.push_back(V);
  }
  for (const std::string &Clobber : What.Clobbers)
    Append(Clobber);
  FunctionType *Type = FunctionType::get(What.Made, Types, /*isVarArg=*/false);
  InlineAsm *Assembly = InlineAsm::get(Type, Text, Constraints, /*hasSideEffects=*/true);
  return CallInst::Create(Type, Assembly, Values, "", Before->getIterator());
}

} // namespace regtriage
