// Each pass numbers its targets in the order of the module, so that a set of numbers means the same in every
// process that reads the same file. Values that go are replaced by zero, never by undef or poison: a test of
// register allocation must not gain undefined lanes that its original did not have.
#include "reduce.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "outputs.h"
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
static cl::opt<bool> ReduceTidy("reduce-tidy", cl::init(true), cl::cat(ReduceOptions),
                                cl::desc("Then drop what nobody uses or reaches (on by default)"));
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

/// The tidying after each reduction: blocks that nothing reaches, PHIs of one value, straight lines of blocks,
/// instructions and declarations that nobody uses.
void tidy(Module &M) {
  for (Function *F : definitions(M)) {
    removeUnreachableBlocks(*F);
    for (BasicBlock &B : make_early_inc_range(*F)) {
      if (B.getSinglePredecessor())
        FoldSingleEntryPHINodes(&B);
      MergeBlockIntoPredecessor(&B);
    }
    bool Changed = true;
    while (Changed) {
      Changed = false;
      for (Instruction &I : make_early_inc_range(instructions(*F)))
        if (isInstructionTriviallyDead(&I)) {
          I.eraseFromParent();
          Changed = true;
        }
    }
  }
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

/// A block that only goes on to another one is left out.
Actions blocks(Module &M) {
  Actions Result;
  for (Function *F : definitions(M))
    for (BasicBlock &B : *F)
      if (&B != &F->getEntryBlock() && isa<UncondBrInst>(B.getTerminator()) &&
          &*B.getFirstNonPHIIt() == B.getTerminator())
        Result.push_back([&B] {
          if (isa<UncondBrInst>(B.getTerminator()) && B.getUniqueSuccessor() != &B)
            TryToSimplifyUncondBranchFromEmptyBlock(&B);
        });
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

Value *zeroFor(Use &U) {
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

void dropArguments(Function *F, const DenseSet<unsigned> &Gone) {
  std::vector<Type *> Types;
  SmallVector<AttributeSet, 8> Attributes;
  const AttributeList Old = F->getAttributes();
  for (Argument &A : F->args())
    if (!Gone.contains(A.getArgNo())) {
      Types.push_back(A.getType());
      Attributes.push_back(Old.getParamAttrs(A.getArgNo()));
    }
  auto *New = Function::Create(FunctionType::get(F->getReturnType(), Types, F->isVarArg()), F->getLinkage(),
                               F->getAddressSpace(), "", F->getParent());
  New->copyAttributesFrom(F);
  New->setAttributes(AttributeList::get(F->getContext(), Old.getFnAttrs(), Old.getRetAttrs(), Attributes));
  New->splice(New->begin(), F);
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
  auto *New = Function::Create(FunctionType::get(F->getReturnType(), Types, F->isVarArg()), F->getLinkage(),
                               F->getAddressSpace(), "", F->getParent());
  New->copyAttributesFrom(F);
  New->setAttributes(AttributeList::get(F->getContext(), Old.getFnAttrs(), Old.getRetAttrs(), Attributes));
  New->splice(New->begin(), F);
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
                         .Case("operands-zero", [](Module &X) { return operands(X, zeroFor); })
                         .Case("operands-argument", [](Module &X) { return operands(X, argumentFor); })
                         .Case("shared-arguments", sharedArguments)
                         .Case("attributes", attributes)
                         .Case("metadata", metadata)
                         .Case("decorations", decorations)
                         .Default(nullptr);
  if (!Make)
    return std::nullopt;
  return Make(M);
}

} // namespace

bool wantsReduction() { return !ReducePass.empty(); }

bool wantsReductionCount() { return ReduceCount; }

int countReductionTargets(Module &M) {
  if (ReducePass == "arguments")
    return reduceArguments(M, {}, /*CountOnly=*/true);
  if (ReducePass == "promotions")
    return reducePromotions(M, {}, /*CountOnly=*/true);
  const std::optional<Actions> All = actions(M);
  return All ? int(All->size()) : -1;
}

std::string reduceModule(std::unique_ptr<Module> &Reduced) {
  Module &M = *Reduced;
  const DenseSet<unsigned> Drop(ReduceDrop.begin(), ReduceDrop.end());
  if (ReducePass == "arguments") {
    reduceArguments(M, Drop, /*CountOnly=*/false);
  } else if (ReducePass == "promotions") {
    reducePromotions(M, Drop, /*CountOnly=*/false);
  } else {
    const std::optional<Actions> All = actions(M);
    if (!All)
      return "no reduction pass '" + ReducePass + "'";
    for (unsigned N = 0; N != All->size(); ++N)
      if (Drop.contains(N))
        (*All)[N]();
  }
  if (ReduceTidy)
    tidy(M);
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
