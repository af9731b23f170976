// Each pass numbers its targets in the order of the module, so that a set of numbers means the same in every
// process that reads the same file. Values that go are replaced by zero, never by undef or poison: a test of
// register allocation must not gain undefined lanes that its original did not have.
#include "reduce.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "outputs.h"
#include "statement.h"
#include "tuples.h"
#include <functional>
#include <map>

using namespace llvm;

namespace regtriage {

static cl::OptionCategory ReduceOptions("Reduction");
static cl::opt<std::string> ReducePass("reduce-pass", cl::cat(ReduceOptions), cl::value_desc("pass"),
                                       cl::desc("Make the module smaller in this way before compiling it"));
static cl::opt<bool> ReduceCount("reduce-count", cl::cat(ReduceOptions),
                                 cl::desc("Print the number of targets of -reduce-pass and stop"));
static cl::list<unsigned> ReduceDrop("reduce-drop", cl::CommaSeparated, cl::cat(ReduceOptions),
                                     cl::value_desc("n,..."), cl::desc("The targets to act on"));
enum class Tidying { None, Code, Arguments, All };
static cl::opt<Tidying>
    ReduceTidy("reduce-tidy", cl::init(Tidying::Code), cl::cat(ReduceOptions),
               cl::desc("Then drop what nobody uses or reaches"),
               cl::values(clEnumValN(Tidying::None, "none", "nothing"),
                          clEnumValN(Tidying::Code, "code", "new dead code, all blocks and declarations (default)"),
                          clEnumValN(Tidying::Arguments, "arguments", "these, and arguments of functions"),
                          clEnumValN(Tidying::All, "all", "all dead code, blocks, declarations")));
static cl::opt<std::string> ReduceOutput("reduce-output", cl::cat(ReduceOptions), cl::value_desc("file"),
                                         cl::desc("Where to write the smaller module"));

namespace {

/// One target: what to do there.
using Action = std::function<void()>;
using Actions = std::vector<Action>;

Constant *zero(Type *T) { return Constant::getNullValue(T); }

bool canBeZero(const Type *T) { return !T->isVoidTy() && !T->isTokenTy() && !T->isLabelTy() && !T->isMetadataTy(); }

std::vector<Function *> definitions(Module &M) {
  std::vector<Function *> Result;
  for (Function &F : M)
    if (!F.isDeclaration())
      Result.push_back(&F);
  return Result;
}

void erase(Instruction *I) {
  if (!I->use_empty())
    I->replaceAllUsesWith(zero(I->getType()));
  I->eraseFromParent();
}

bool isDead(const Instruction &I, const DenseSet<const Instruction *> &Dead) {
  return wouldInstructionBeTriviallyDead(&I) && all_of(I.users(), [&](const User *U) {
           const auto *Reader = dyn_cast<Instruction>(U);
           return Reader && Dead.contains(Reader);
         });
}

/// The instructions that nobody uses but others of them. Those of Kept, and what they use, are not among them.
DenseSet<const Instruction *> deadCode(Module &M, const DenseSet<const Instruction *> &Kept) {
  DenseSet<const Instruction *> Dead;
  for (Function *F : definitions(M))
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock &B : reverse(*F))
        for (Instruction &I : reverse(B))
          if (!Dead.contains(&I) && !Kept.contains(&I) && isDead(I, Dead))
            Changed = Dead.insert(&I).second;
    }
  return Dead;
}

/// The tidying after each reduction: blocks that nothing reaches, PHIs of one value, straight lines of blocks, and
/// instructions and declarations that nobody uses. Dead code that is in Kept stays: where it is left at all, the
/// miscompile hangs on it.
void tidy(Module &M, ArrayRef<WeakVH> Kept) {
  for (Function *F : definitions(M)) {
    removeUnreachableBlocks(*F);
    for (BasicBlock &B : make_early_inc_range(*F)) {
      if (B.getSinglePredecessor())
        FoldSingleEntryPHINodes(&B);
      MergeBlockIntoPredecessor(&B);
    }
  }
  DenseSet<const Instruction *> Left;
  for (const WeakVH &V : Kept)
    if (V)
      Left.insert(cast<Instruction>(&*V));
  const DenseSet<const Instruction *> Dead = deadCode(M, Left);
  for (const Instruction *I : Dead)
    const_cast<Instruction *>(I)->dropAllReferences();
  for (const Instruction *I : Dead)
    const_cast<Instruction *>(I)->eraseFromParent();
  for (Function &F : make_early_inc_range(M))
    if (F.isDeclaration() && F.use_empty())
      F.eraseFromParent();
  for (GlobalVariable &G : make_early_inc_range(M.globals()))
    if (G.use_empty())
      G.eraseFromParent();
}

Actions functions(Module &M) {
  Actions Result;
  for (Function *F : definitions(M))
    Result.push_back([F] {
      if (F->use_empty() && F->getParent()->size() > 1)
        F->eraseFromParent();
    });
  return Result;
}

/// A terminator always goes one way.
Actions edges(Module &M) {
  Actions Result;
  for (Function *F : definitions(M))
    for (BasicBlock &B : *F) {
      Instruction *T = B.getTerminator();
      if (T->getNumSuccessors() < 2)
        continue;
      for (unsigned Kept = 0; Kept != T->getNumSuccessors(); ++Kept)
        Result.push_back([&B, Kept] {
          Instruction *Old = B.getTerminator();
          if (Old->getNumSuccessors() <= Kept || Old->getNumSuccessors() < 2)
            return;
          BasicBlock *Target = Old->getSuccessor(Kept);
          for (unsigned Gone = 0; Gone != Old->getNumSuccessors(); ++Gone)
            if (Gone != Kept)
              Old->getSuccessor(Gone)->removePredecessor(&B, /*KeepOneInputPHIs=*/true);
          Old->eraseFromParent();
          UncondBrInst::Create(Target, &B);
        });
    }
  return Result;
}

/// A block loses everything but its PHIs and its terminator.
Actions bodies(Module &M) {
  Actions Result;
  for (Function *F : definitions(M))
    for (BasicBlock &B : *F)
      if (&*B.getFirstNonPHIIt() != B.getTerminator())
        Result.push_back([&B] {
          for (Instruction &I : make_early_inc_range(B))
            if (!isa<PHINode>(I) && !I.isTerminator())
              erase(&I);
        });
  return Result;
}

/// A block that ends in a return returns at once; any other block returns in place of its terminator.
Actions returns(Module &M) {
  Actions Result;
  for (Function *F : definitions(M)) {
    if (!F->getReturnType()->isVoidTy())
      continue;
    for (BasicBlock &B : *F)
      if (!isa<ReturnInst>(B.getTerminator()))
        Result.push_back([&B] {
          Instruction *Old = B.getTerminator();
          for (unsigned S = 0; S != Old->getNumSuccessors(); ++S)
            Old->getSuccessor(S)->removePredecessor(&B, /*KeepOneInputPHIs=*/true);
          Old->eraseFromParent();
          ReturnInst::Create(B.getContext(), &B);
        });
  }
  return Result;
}

/// A block that only goes on is left out where it is empty.
void leaveOut(BasicBlock &B) {
  if (isa<UncondBrInst>(B.getTerminator()) && &*B.getFirstNonPHIIt() == B.getTerminator() && B.getUniqueSuccessor() != &B)
    TryToSimplifyUncondBranchFromEmptyBlock(&B);
}

/// A block that only goes on to another one is left out.
Actions blocks(Module &M) {
  Actions Result;
  for (Function *F : definitions(M))
    for (BasicBlock &B : *F)
      if (&B != &F->getEntryBlock() && isa<UncondBrInst>(B.getTerminator()) &&
          &*B.getFirstNonPHIIt() == B.getTerminator())
        Result.push_back([&B] { leaveOut(B); });
  return Result;
}

Actions instructionTargets(Module &M) {
  Actions Result;
  for (Function *F : definitions(M))
    for (Instruction &I : instructions(*F))
      if (!I.isTerminator() && (I.getType()->isVoidTy() || canBeZero(I.getType())))
        Result.push_back([&I] { erase(&I); });
  return Result;
}

using Replacement = std::function<Value *(Use &)>;

/// Every operand that the replacement has something else for.
Actions operands(Module &M, const Replacement &Find) {
  Actions Result;
  for (Function *F : definitions(M))
    for (Instruction &I : instructions(*F))
      for (Use &U : I.operands()) {
        if (isa<CallBase>(I) && cast<CallBase>(I).isCallee(&U))
          continue;
        if (!canBeZero(U->getType()) || isa<BasicBlock>(U.get()) || isa<InlineAsm>(U.get()))
          continue;
        Value *New = Find(U);
        if (New && New != U.get())
          Result.push_back([&U, New] { U.set(New); });
      }
  return Result;
}

/// What an operand can be zero for: scalars that are constant already are as good.
Value *zeroFor(Use &U) {
  if (isa<UndefValue>(U.get()))
    return isa<PHINode>(U.getUser()) ? nullptr : zero(U->getType());
  const bool MayBeConstant = !isa<PHINode>(U.getUser()) || !isa<Constant>(U.get());
  return isa<Constant>(U.get()) && !isa<ConstantVector>(U.get()) ? nullptr : MayBeConstant ? zero(U->getType()) : nullptr;
}

/// The first argument of the function that has the type.
Value *argumentFor(Use &U) {
  if (isa<Constant>(U.get()))
    return nullptr;
  for (Argument &A : cast<Instruction>(U.getUser())->getFunction()->args())
    if (A.getType() == U->getType())
      return &A;
  return nullptr;
}

/// Where an instruction stands, its first operand of the same type can stand.
Actions forwards(Module &M) {
  Actions Result;
  for (Function *F : definitions(M))
    for (Instruction &I : instructions(*F)) {
      if (isa<PHINode>(I) || I.isTerminator() || I.getType()->isVoidTy() || I.use_empty())
        continue;
      const auto FindOperand = [&I]() -> Value * {
        for (Value *Operand : I.operands())
          if (Operand->getType() == I.getType() && Operand != &I)
            return Operand;
        return nullptr;
      };
      // Found again when it is used: an earlier target may have replaced the operand.
      if (FindOperand())
        Result.push_back([&I, FindOperand] {
          if (Value *Operand = FindOperand()) {
            I.replaceAllUsesWith(Operand);
            I.eraseFromParent();
          }
        });
    }
  return Result;
}

/// An instruction is replaced by the last one before it that computes in the same way what is of the same type.
Actions twins(Module &M) {
  Actions Result;
  for (Function *F : definitions(M)) {
    const DominatorTree Tree(*F);
    std::vector<Instruction *> Earlier;
    for (Instruction &I : instructions(*F)) {
      if (isa<PHINode>(I) || isa<CallBase>(I) || I.isTerminator() || I.getType()->isVoidTy())
        continue;
      const auto Twin = find_if(reverse(Earlier), [&](const Instruction *J) {
        return J->getOpcode() == I.getOpcode() && J->getType() == I.getType() && Tree.dominates(J, &I);
      });
      if (Twin != Earlier.rend() && !I.use_empty())
        Result.push_back([&I, J = *Twin] { I.replaceAllUsesWith(J); });
      Earlier.push_back(&I);
    }
  }
  return Result;
}

/// A block that only returns is replaced by the first one that does.
Actions tails(Module &M) {
  Actions Result;
  for (Function *F : definitions(M)) {
    BasicBlock *First = nullptr;
    for (BasicBlock &B : *F) {
      if (!isa<ReturnInst>(B.front()) || &B == &F->getEntryBlock() || !F->getReturnType()->isVoidTy())
        continue;
      if (First)
        Result.push_back([&B, First] { B.replaceAllUsesWith(First); });
      else
        First = &B;
    }
  }
  return Result;
}

/// A PHI is replaced by one of its incoming values that is there anyway.
Actions phis(Module &M) {
  Actions Result;
  for (Function *F : definitions(M)) {
    const DominatorTree Tree(*F);
    for (BasicBlock &B : *F)
      for (PHINode &P : B.phis())
        for (unsigned N = 0; N != P.getNumIncomingValues(); ++N) {
          const Value *Incoming = P.getIncomingValue(N);
          const auto *Defined = dyn_cast<Instruction>(Incoming);
          if (Incoming == &P || (Defined && !Tree.dominates(Defined, &P)))
            continue;
          // Found again when it is used: an earlier target may have replaced the value.
          Result.push_back([&P, N] {
            if (Value *New = P.getIncomingValue(N); New != &P && !P.use_empty())
              P.replaceAllUsesWith(New);
          });
        }
  }
  return Result;
}

/// What became of statements that were written anew. They are kept until all targets were acted on, so that no other
/// one gets their address.
class Rewritten {
public:
  ~Rewritten() {
    for (CallInst *I : Gone)
      I->deleteValue();
  }

  /// The statement that one is part of by now.
  CallInst *now(CallInst *I) const {
    for (auto Found = Into.find(I); Found != Into.end(); Found = Into.find(I))
      I = Found->second;
    return I;
  }

  void put(CallInst *Old, CallInst *New) {
    if (Old->getType() == New->getType() && !Old->use_empty()) {
      New->takeName(Old);
      Old->replaceAllUsesWith(New);
    }
    Old->removeFromParent();
    Old->dropAllReferences();
    Gone.push_back(Old);
    Into[Old] = New;
  }

private:
  DenseMap<CallInst *, CallInst *> Into;
  std::vector<CallInst *> Gone;
};

/// The next instruction after one that does more than compute, if that is a statement.
CallInst *nextStatement(Instruction &I) {
  for (Instruction *Next = I.getNextNode(); Next; Next = Next->getNextNode()) {
    if (commentOf(*Next))
      return cast<CallInst>(Next);
    if (Next->mayHaveSideEffects() || Next->isTerminator())
      return nullptr;
  }
  return nullptr;
}

/// Whether all that a statement reads is there before another instruction of its block.
bool canStandAt(const Statement &What, const Instruction &Place) {
  return all_of(What.Inputs, [&](const auto &Input) {
    const auto *Defined = dyn_cast<Instruction>(Input.second);
    return !Defined || Defined->getParent() != Place.getParent() || isa<PHINode>(Defined) || Defined->comesBefore(&Place);
  });
}

/// Whether something in the block of both reads a value, up to and with an instruction.
bool isReadUpTo(const Instruction &Made, const Instruction &End) {
  return any_of(Made.users(), [&](const User *U) {
    const auto *Reader = cast<Instruction>(U);
    return Reader->getParent() == End.getParent() && !isa<PHINode>(Reader) &&
           (Reader == &End || Reader->comesBefore(&End));
  });
}

void joinWithNext(CallInst *First, Rewritten &Done) {
  CallInst *Second = nextStatement(*First);
  if (!Second)
    return;
  Statement Joined = readStatement(*First);
  const Statement Other = readStatement(*Second);
  if (!Joined.Outputs.empty() && !Other.Outputs.empty())
    return;
  const bool Early = isReadUpTo(*First, *Second);
  if (Early && !canStandAt(Other, *First))
    return;
  Joined.Made = Other.Outputs.empty() ? Joined.Made : Other.Made;
  append_range(Joined.Outputs, Other.Outputs);
  append_range(Joined.Inputs, Other.Inputs);
  append_range(Joined.Clobbers, Other.Clobbers);
  CallInst *New = writeStatement(Joined, Early ? First : Second);
  Done.put(First, New);
  Done.put(Second, New);
}

/// A statement and the next one of its block are one: all that the two make and read, at once.
Actions statements(Module &M) {
  Actions Result;
  const auto Done = std::make_shared<Rewritten>();
  for (Function *F : definitions(M))
    for (Instruction &I : instructions(*F))
      if (commentOf(I) && nextStatement(I))
        Result.push_back([Done, Call = cast<CallInst>(&I)] { joinWithNext(Done->now(Call), *Done); });
  return Result;
}

bool canBeRead(const Type *T) { return T->isIntOrIntVectorTy() || T->isFPOrFPVectorTy() || T->isPointerTy(); }

/// A statement reads what its operand is computed from, in place of the operand.
Actions sources(Module &M) {
  Actions Result;
  const auto Done = std::make_shared<Rewritten>();
  for (Function *F : definitions(M))
    for (Instruction &I : instructions(*F)) {
      if (!commentOf(I))
        continue;
      auto *Call = cast<CallInst>(&I);
      for (unsigned N = 0; N != Call->arg_size(); ++N) {
        const auto *Computed = dyn_cast<Instruction>(Call->getArgOperand(N));
        if (!Computed || isa<PHINode>(Computed) || isa<CallBase>(Computed))
          continue;
        for (Value *Source : Computed->operands())
          if (!isa<Constant>(Source) && canBeRead(Source->getType()))
            Result.push_back([Done, Call, N, Source] {
              CallInst *Now = Done->now(Call);
              Statement What = readStatement(*Now);
              auto *Maker = dyn_cast<CallInst>(Source);
              What.Inputs[N].second = Maker ? Done->now(Maker) : Source;
              Done->put(Now, writeStatement(What, Now));
            });
      }
    }
  return Result;
}

/// The constraint of a statement that reads a value: the kind of register that it lives in.
std::string constraintOf(const Value &V) {
  for (const User *U : V.users())
    if (commentOf(*cast<Instruction>(U)))
      for (const auto &[Constraint, Read] : readStatement(*cast<CallInst>(U)).Inputs)
        if (Read == &V)
          return Constraint;
  return "";
}

/// What a statement reads comes from a statement that makes it, and need not be computed.
Actions makers(Module &M) {
  Actions Result;
  for (Function *F : definitions(M))
    for (Instruction &I : instructions(*F))
      if (!isa<PHINode>(I) && !isa<CallBase>(I) && canBeRead(I.getType()) && !constraintOf(I).empty())
        Result.push_back([&I] {
          Statement What;
          What.Outputs = {"=" + constraintOf(I)};
          What.Made = I.getType();
          I.replaceAllUsesWith(writeStatement(What, &I));
        });
  return Result;
}

/// A statement no longer reads an operand. Targets act together: those of one statement count its operands as they were.
int reduceReads(Module &M, const DenseSet<unsigned> &Drop, bool CountOnly) {
  int Count = 0;
  for (Function *F : definitions(M))
    for (Instruction &I : make_early_inc_range(instructions(*F))) {
      if (!commentOf(I) || cast<CallInst>(I).arg_size() + !I.getType()->isVoidTy() < 2)
        continue;
      Statement What = readStatement(cast<CallInst>(I));
      const size_t Before = What.Inputs.size();
      erase_if(What.Inputs, [&](const auto &) { return Drop.contains(Count++); });
      if (CountOnly || What.Inputs.size() == Before)
        continue;
      CallInst *New = writeStatement(What, &I);
      New->takeName(&I);
      I.replaceAllUsesWith(New);
      I.eraseFromParent();
    }
  return Count;
}

bool onlyGoesOn(BasicBlock &B) {
  return isa<UncondBrInst>(B.getTerminator()) && &B.front() != B.getTerminator() && B.getUniqueSuccessor() != &B;
}

/// What a block does is done by its only predecessor, and the block is left out.
Actions lifts(Module &M) {
  Actions Result;
  for (Function *F : definitions(M))
    for (BasicBlock &B : *F)
      if (onlyGoesOn(B) && B.getSinglePredecessor() && !isa<PHINode>(B.front()))
        Result.push_back([&B] {
          BasicBlock *Before = B.getSinglePredecessor();
          for (Instruction &I : make_early_inc_range(B))
            if (!I.isTerminator())
              I.moveBefore(Before->getTerminator()->getIterator());
          leaveOut(B);
        });
  return Result;
}

/// The statements of a block are made by its only successor, and the block is left out.
Actions sinks(Module &M) {
  Actions Result;
  for (Function *F : definitions(M)) {
    const DominatorTree Tree(*F);
    const auto CanMove = [&Tree](Instruction &I, BasicBlock &After) {
      return commentOf(I) && I.getType()->isVoidTy() && all_of(I.operands(), [&](const Use &U) {
               const auto *Defined = dyn_cast<Instruction>(U.get());
               return !Defined || Tree.dominates(Defined, &*After.getFirstInsertionPt());
             });
    };
    for (BasicBlock &B : *F) {
      if (&B == &F->getEntryBlock() || !onlyGoesOn(B))
        continue;
      BasicBlock &After = *B.getUniqueSuccessor();
      if (all_of(B, [&](Instruction &I) { return I.isTerminator() || isa<PHINode>(I) || CanMove(I, After); }))
        Result.push_back([&B, &After] {
          for (Instruction &I : make_early_inc_range(reverse(B)))
            if (commentOf(I))
              I.moveBefore(After.getFirstInsertionPt());
          leaveOut(B);
        });
    }
  }
  return Result;
}

/// An argument is replaced by an earlier one of its type.
Actions sharedArguments(Module &M) {
  Actions Result;
  for (Function *F : definitions(M)) {
    std::map<Type *, Argument *> First;
    for (Argument &A : F->args()) {
      Argument *&Known = First[A.getType()];
      if (!Known) {
        Known = &A;
        continue;
      }
      if (!A.use_empty())
        Result.push_back([&A, Known] { A.replaceAllUsesWith(Known); });
    }
  }
  return Result;
}

/// Tuples are half as long.
Actions tuples(Module &M) {
  Actions Result;
  for (Function *F : definitions(M))
    for (TupleWeb &Web : tupleWebs(*F))
      Result.push_back([Found = std::make_shared<TupleWeb>(std::move(Web))] { Found->halve(); });
  return Result;
}

/// A function with the same body and other arguments; the body still reads the old ones.
Function *withArguments(Function *F, const std::vector<Type *> &Types, ArrayRef<AttributeSet> Attributes) {
  const AttributeList Old = F->getAttributes();
  auto *New = Function::Create(FunctionType::get(F->getReturnType(), Types, F->isVarArg()), F->getLinkage(),
                               F->getAddressSpace(), "", F->getParent());
  New->copyAttributesFrom(F);
  New->setAttributes(AttributeList::get(F->getContext(), Old.getFnAttrs(), Old.getRetAttrs(), Attributes));
  New->splice(New->begin(), F);
  return New;
}

void dropArguments(Function *F, const DenseSet<unsigned> &Gone) {
  std::vector<Type *> Types;
  SmallVector<AttributeSet, 8> Attributes;
  const AttributeList Old = F->getAttributes();
  for (Argument &A : F->args())
    if (!Gone.contains(A.getArgNo())) {
      Types.push_back(A.getType());
      Attributes.push_back(Old.getParamAttrs(A.getArgNo()));
    }
  Function *New = withArguments(F, Types, Attributes);
  auto Next = New->arg_begin();
  for (Argument &A : F->args()) {
    if (Gone.contains(A.getArgNo())) {
      A.replaceAllUsesWith(zero(A.getType()));
      continue;
    }
    Next->takeName(&A);
    A.replaceAllUsesWith(&*Next++);
  }
  New->takeName(F);
  F->eraseFromParent();
}

/// The results of these instructions come from new arguments of the function.
void makeArguments(Function *F, const std::vector<Instruction *> &Made) {
  std::vector<Type *> Types;
  SmallVector<AttributeSet, 8> Attributes;
  const AttributeList Old = F->getAttributes();
  for (Argument &A : F->args()) {
    Types.push_back(A.getType());
    Attributes.push_back(Old.getParamAttrs(A.getArgNo()));
  }
  for (Instruction *I : Made)
    Types.push_back(I->getType());
  Function *New = withArguments(F, Types, Attributes);
  auto Next = New->arg_begin();
  for (Argument &A : F->args()) {
    Next->takeName(&A);
    A.replaceAllUsesWith(&*Next++);
  }
  for (Instruction *I : Made) {
    Next->takeName(I);
    I->replaceAllUsesWith(&*Next++);
    I->eraseFromParent();
  }
  New->takeName(F);
  F->eraseFromParent();
}

bool canBeArgument(const Instruction &I) {
  const Type *T = I.getType();
  return !I.use_empty() && (T->isIntegerTy() || T->isPointerTy() || T->isFloatingPointTy());
}

/// Targets of this pass act together: a function's type changes once.
int reducePromotions(Module &M, const DenseSet<unsigned> &Drop, bool CountOnly) {
  int Count = 0;
  for (Function *F : definitions(M)) {
    if (!F->use_empty())
      continue;
    std::vector<Instruction *> Made;
    for (Instruction &I : instructions(*F))
      if (canBeArgument(I) && Drop.contains(Count++))
        Made.push_back(&I);
    if (!CountOnly && !Made.empty())
      makeArguments(F, Made);
  }
  return Count;
}

/// Without the arguments that nobody reads, the others lie closer together.
void dropUnusedArguments(Module &M) {
  for (Function *F : definitions(M)) {
    DenseSet<unsigned> Gone;
    for (Argument &A : F->args())
      if (A.use_empty())
        Gone.insert(A.getArgNo());
    if (F->use_empty() && !Gone.empty())
      dropArguments(F, Gone);
  }
}

/// All that reads an argument, where that is the same computation over and over, with nothing but constants beside it.
SmallVector<Instruction *, 4> onlyUse(const Argument &A) {
  SmallVector<Instruction *, 4> Result;
  for (const User *U : A.users()) {
    auto *I = const_cast<Instruction *>(cast<Instruction>(U));
    const auto IsFixed = [&](const Use &Operand) { return Operand.get() == &A || isa<Constant>(Operand.get()); };
    if (I->isTerminator() || isa<PHINode>(I) || isa<CallBase>(I) || !canBeArgument(*I) || !all_of(I->operands(), IsFixed))
      return {};
    if (!Result.empty() && !Result.front()->isIdenticalTo(I))
      return {};
    Result.push_back(I);
  }
  return Result;
}

/// An argument is what its only use computes of it. Targets act together: a function's type changes once.
int reduceArgumentTypes(Module &M, const DenseSet<unsigned> &Drop, bool CountOnly) {
  int Count = 0;
  for (Function *F : definitions(M)) {
    if (!F->use_empty())
      continue;
    std::vector<Type *> Types;
    SmallVector<AttributeSet, 8> Attributes;
    std::vector<SmallVector<Instruction *, 4>> Gone;
    bool Changes = false;
    for (Argument &A : F->args()) {
      Gone.push_back(onlyUse(A));
      if (!Gone.back().empty() && !Drop.contains(Count++))
        Gone.back().clear();
      const bool IsOther = !Gone.back().empty();
      Changes |= IsOther;
      Types.push_back(IsOther ? Gone.back().front()->getType() : A.getType());
      Attributes.push_back(IsOther ? AttributeSet() : F->getAttributes().getParamAttrs(A.getArgNo()));
    }
    if (CountOnly || !Changes)
      continue;
    Function *New = withArguments(F, Types, Attributes);
    for (auto [Old, Next, Uses] : zip(F->args(), New->args(), Gone)) {
      Next.takeName(&Old);
      for (Instruction *I : Uses) {
        I->replaceAllUsesWith(&Next);
        I->eraseFromParent();
      }
      if (Uses.empty())
        Old.replaceAllUsesWith(&Next);
    }
    New->takeName(F);
    F->eraseFromParent();
  }
  return Count;
}

/// Targets of this pass act together: a function's type changes once.
int reduceArguments(Module &M, const DenseSet<unsigned> &Drop, bool CountOnly) {
  int Count = 0;
  for (Function *F : definitions(M)) {
    if (!F->use_empty())
      continue;
    DenseSet<unsigned> Gone;
    for (Argument &A : F->args())
      if (Drop.contains(Count++))
        Gone.insert(A.getArgNo());
    if (!CountOnly && !Gone.empty())
      dropArguments(F, Gone);
  }
  return Count;
}

Actions attributes(Module &M) {
  Actions Result;
  for (Function &F : M)
    for (unsigned Index : F.getAttributes().indexes())
      for (Attribute A : F.getAttributes().getAttributes(Index))
        Result.push_back([&F, Index, A] {
          if (A.isStringAttribute())
            F.removeAttributeAtIndex(Index, A.getKindAsString());
          else
            F.removeAttributeAtIndex(Index, A.getKindAsEnum());
        });
  for (Function *F : definitions(M))
    for (Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !Call->getAttributes().isEmpty())
        Result.push_back([Call] { Call->setAttributes(AttributeList()); });
  return Result;
}

Actions metadata(Module &M) {
  Actions Result;
  Result.push_back([&M] { StripDebugInfo(M); });
  for (NamedMDNode &Named : M.named_metadata())
    Result.push_back([&M, &Named] { M.eraseNamedMetadata(&Named); });
  for (Function *F : definitions(M)) {
    Result.push_back([F] { F->clearMetadata(); });
    Result.push_back([F] {
      for (Instruction &I : instructions(*F))
        I.dropUnknownNonDebugMetadata();
    });
  }
  return Result;
}

/// Short names in the order of the text. All old ones go first, so that doing it twice changes nothing.
void rename(Function &F) {
  for (Argument &A : F.args())
    A.setName("");
  for (BasicBlock &B : F) {
    B.setName("");
    for (Instruction &I : B)
      I.setName("");
  }
  unsigned Arguments = 0, Blocks = 0, Values = 0;
  for (Argument &A : F.args())
    A.setName("a" + Twine(Arguments++));
  for (BasicBlock &B : F) {
    B.setName("b" + Twine(Blocks++));
    for (Instruction &I : B)
      if (!I.getType()->isVoidTy())
        I.setName("t" + Twine(Values++));
  }
}

/// Flags such as nsw and fast-math that nobody needs, and names that say nothing.
Actions decorations(Module &M) {
  Actions Result;
  Result.push_back([&M] {
    for (Function *F : definitions(M))
      for (Instruction &I : instructions(*F))
        I.dropPoisonGeneratingFlags();
  });
  Result.push_back([&M] {
    for (Function *F : definitions(M))
      rename(*F);
  });
  Result.push_back([&M] {
    for (GlobalVariable &G : make_early_inc_range(M.globals()))
      if (G.use_empty())
        G.eraseFromParent();
  });
  return Result;
}

std::optional<Actions> actions(Module &M) {
  using Maker = Actions (*)(Module &);
  const Maker Make = StringSwitch<Maker>(ReducePass)
                         .Case("functions", functions)
                         .Case("edges", edges)
                         .Case("returns", returns)
                         .Case("blocks", blocks)
                         .Case("bodies", bodies)
                         .Case("instructions", instructionTargets)
                         .Case("forwards", forwards)
                         .Case("twins", twins)
                         .Case("tails", tails)
                         .Case("phis", phis)
                         .Case("statements", statements)
                         .Case("sources", sources)
                         .Case("makers", makers)
                         .Case("lifts", lifts)
                         .Case("sinks", sinks)
                         .Case("operands-zero", [](Module &X) { return operands(X, zeroFor); })
                         .Case("operands-argument", [](Module &X) { return operands(X, argumentFor); })
                         .Case("shared-arguments", sharedArguments)
                         .Case("tuples", tuples)
                         .Case("attributes", attributes)
                         .Case("metadata", metadata)
                         .Case("decorations", decorations)
                         .Default(nullptr);
  if (!Make)
    return std::nullopt;
  return Make(M);
}

/// A pass whose targets act together. Returns how many there are.
using Together = int (*)(Module &, const DenseSet<unsigned> &, bool);

Together together() {
  return StringSwitch<Together>(ReducePass)
      .Case("arguments", reduceArguments)
      .Case("argument-types", reduceArgumentTypes)
      .Case("promotions", reducePromotions)
      .Case("reads", reduceReads)
      .Default(nullptr);
}

} // namespace

bool wantsReduction() { return !ReducePass.empty(); }

bool wantsReductionCount() { return ReduceCount; }

int countReductionTargets(Module &M) {
  if (const Together Reduce = together())
    return Reduce(M, {}, /*CountOnly=*/true);
  const std::optional<Actions> All = actions(M);
  return All ? int(All->size()) : -1;
}

std::string reduceModule(std::unique_ptr<Module> &Reduced) {
  Module &M = *Reduced;
  const DenseSet<unsigned> Drop(ReduceDrop.begin(), ReduceDrop.end());
  std::vector<WeakVH> Kept;
  if (ReduceTidy != Tidying::All)
    for (const Instruction *I : deadCode(M, {}))
      Kept.emplace_back(const_cast<Instruction *>(I));
  if (const Together Reduce = together()) {
    Reduce(M, Drop, /*CountOnly=*/false);
  } else {
    const std::optional<Actions> All = actions(M);
    if (!All)
      return "no reduction pass '" + ReducePass + "'";
    for (unsigned N = 0; N != All->size(); ++N)
      if (Drop.contains(N))
        (*All)[N]();
  }
  if (ReduceTidy != Tidying::None)
    tidy(M, Kept);
  if (ReduceTidy == Tidying::Arguments)
    dropUnusedArguments(M);
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(M, &Stream))
    return "the reduction broke the module: " + StringRef(Broken).trim().str();
  // Otherwise the text would have the name of the file that it comes from.
  M.setModuleIdentifier("");
  M.setSourceFileName("");
  std::string Text;
  raw_string_ostream TextStream(Text);
  M.print(TextStream, nullptr);
  if (!ReduceOutput.empty())
    outputs().open(ReduceOutput) << Text;
  // What is compiled must be what was written: the text does not keep the order of uses, on which passes depend.
  SMDiagnostic Error;
  Reduced = parseIR(MemoryBufferRef(Text, "reduced"), Error, M.getContext());
  return Reduced ? "" : "the reduced module cannot be read: " + Error.getMessage().str();
}

} // namespace regtriage
