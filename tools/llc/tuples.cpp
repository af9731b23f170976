#include "tuples.h"

#include "statement.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

/// The tuple type of a value that can be halved, else null.
FixedVectorType *tupleType(const Value &V) {
  auto *T = dyn_cast<FixedVectorType>(V.getType());
  return T && T->getNumElements() >= 4 && T->getNumElements() % 2 == 0 ? T : nullptr;
}

FixedVectorType *half(const FixedVectorType *T) {
  return FixedVectorType::get(T->getElementType(), T->getNumElements() / 2);
}

Constant *firstHalf(const Constant *C) {
  const auto *T = cast<FixedVectorType>(C->getType());
  SmallVector<Constant *, 16> Elements;
  for (unsigned Index = 0; Index != T->getNumElements() / 2; ++Index)
    Elements.push_back(C->getAggregateElement(Index));
  return ConstantVector::get(Elements);
}

/// What an instruction makes its tuple of, if it is one that only passes tuples on; whether it is.
bool passesOn(const Instruction &I, SmallVectorImpl<Value *> &Of) {
  const bool IsSelect = isa<SelectInst>(I) && !I.getOperand(0)->getType()->isVectorTy();
  const bool IsInsert = isa<InsertElementInst>(I) && isa<ConstantInt>(I.getOperand(2));
  if (!IsSelect && !IsInsert && !isa<PHINode, FreezeInst>(I))
    return false;
  for (const Use &Operand : I.operands())
    if (Operand->getType() == I.getType())
      Of.push_back(Operand.get());
  return true;
}

bool canBeMade(const Instruction &I) {
  SmallVector<Value *, 4> Of;
  if (passesOn(I, Of))
    return all_of(Of, [](const Value *V) { return isa<Instruction>(V) || isa<ConstantData>(V) || isa<ConstantVector>(V); });
  return regtriage::commentOf(I) != nullptr;
}

bool canRead(const User &U) {
  const auto &I = cast<Instruction>(U);
  SmallVector<Value *, 4> Of;
  if (isa<ExtractElementInst>(I))
    return isa<ConstantInt>(I.getOperand(1));
  return regtriage::commentOf(I) || passesOn(I, Of);
}

/// Builds the first halves of a web's values beside them.
class Halves {
public:
  Halves(ArrayRef<Instruction *> Members) {
    for (Instruction *I : Members)
      if (auto *Phi = dyn_cast<PHINode>(I))
        Made[I] = PHINode::Create(half(tupleType(*I)), Phi->getNumIncomingValues(), "", Phi->getIterator());
      else if (regtriage::commentOf(*I)) {
        regtriage::Statement What = regtriage::readStatement(*cast<CallInst>(I));
        What.Made = half(tupleType(*I));
        Made[I] = regtriage::writeStatement(What, I);
      }
    for (auto &[Old, New] : Made)
      New->takeName(Old);
    for (Instruction *I : Members)
      if (auto *Phi = dyn_cast<PHINode>(I))
        for (unsigned N = 0; N != Phi->getNumIncomingValues(); ++N)
          cast<PHINode>(of(I))->addIncoming(of(Phi->getIncomingValue(N)), Phi->getIncomingBlock(N));
  }

  Value *of(Value *V) {
    if (const auto *C = dyn_cast<Constant>(V))
      return firstHalf(C);
    if (Value *Known = Made.lookup(V))
      return Known;
    auto *I = cast<Instruction>(V);
    // not a reference into the map: it grows on the way
    Value *New = make(*I);
    if (New != V && isa<Instruction>(New) && !New->hasName() && isa<InsertElementInst, SelectInst, FreezeInst>(New))
      New->takeName(I);
    Made[V] = New;
    return New;
  }

private:
  Value *make(Instruction &I) {
    if (auto *Select = dyn_cast<SelectInst>(&I)) {
      Value *True = of(Select->getTrueValue()), *False = of(Select->getFalseValue());
      return SelectInst::Create(Select->getCondition(), True, False, "", I.getIterator());
    }
    Value *Rest = of(I.getOperand(0));
    if (isa<FreezeInst>(I))
      return new FreezeInst(Rest, "", I.getIterator());
    const auto *Index = cast<ConstantInt>(I.getOperand(2));
    if (Index->getZExtValue() >= cast<FixedVectorType>(Rest->getType())->getNumElements())
      return Rest;
    return InsertElementInst::Create(Rest, I.getOperand(1), I.getOperand(2), "", I.getIterator());
  }

  DenseMap<Value *, WeakTrackingVH> Made;
};

void extractFrom(Value *Tuple, ExtractElementInst &Old) {
  const auto *Index = cast<ConstantInt>(Old.getIndexOperand());
  Value *New = Constant::getNullValue(Old.getType());
  if (Index->getZExtValue() < cast<FixedVectorType>(Tuple->getType())->getNumElements())
    New = ExtractElementInst::Create(Tuple, Old.getIndexOperand(), "", Old.getIterator());
  if (isa<Instruction>(New))
    New->takeName(&Old);
  Old.replaceAllUsesWith(New);
  Old.eraseFromParent();
}

} // namespace

void regtriage::TupleWeb::halve() {
  SetVector<Instruction *> Old;
  for (const WeakTrackingVH &Member : Members)
    if (Member)
      Old.insert(cast<Instruction>(&*Member));
  Halves New(Old.getArrayRef());
  SetVector<Instruction *> Readers;
  for (Instruction *I : Old)
    for (User *U : I->users())
      if (auto *Reader = cast<Instruction>(U); !Old.contains(Reader))
        Readers.insert(Reader);
  for (Instruction *Reader : Readers) {
    if (auto *Extract = dyn_cast<ExtractElementInst>(Reader)) {
      extractFrom(New.of(Extract->getVectorOperand()), *Extract);
      continue;
    }
    Statement What = readStatement(*cast<CallInst>(Reader));
    for (auto &[Constraint, V] : What.Inputs)
      if (auto *I = dyn_cast<Instruction>(V); I && Old.contains(I))
        V = New.of(V);
    CallInst *Again = writeStatement(What, Reader);
    Again->takeName(Reader);
    Reader->replaceAllUsesWith(Again);
    Reader->eraseFromParent();
  }
  for (Instruction *I : Old)
    I->dropAllReferences();
  for (Instruction *I : Old)
    I->eraseFromParent();
}

std::vector<regtriage::TupleWeb> regtriage::tupleWebs(Function &F) {
  EquivalenceClasses<Instruction *> Webs;
  SmallSetVector<Instruction *, 16> Tuples;
  // What nothing reaches may be made of itself.
  df_iterator_default_set<BasicBlock *> Reached;
  for (BasicBlock *B : depth_first_ext(&F, Reached))
    (void)B;
  SmallPtrSet<Instruction *, 8> Fixed;
  for (Instruction &I : instructions(F)) {
    if (!tupleType(I))
      continue;
    Tuples.insert(&I);
    Webs.insert(&I);
    SmallVector<Value *, 4> Of;
    if (passesOn(I, Of))
      for (Value *V : Of)
        if (auto *Other = dyn_cast<Instruction>(V))
          Webs.unionSets(&I, Other);
  }
  MapVector<Instruction *, std::vector<WeakTrackingVH>> Members;
  for (Instruction *I : Tuples) {
    Instruction *Leader = Webs.getLeaderValue(I);
    Members[Leader].emplace_back(I);
    if (!Reached.contains(I->getParent()) || !canBeMade(*I) || !all_of(I->users(), [](const User *U) { return canRead(*U); }))
      Fixed.insert(Leader);
  }
  std::vector<TupleWeb> Result;
  for (auto &[Leader, Found] : Members)
    if (!Fixed.contains(Leader))
      Result.emplace_back(std::move(Found));
  return Result;
}
