#include "stages.h"

#include "outputs.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace llvm;

static cl::opt<std::string> StageDirectory(
    "emit-stages", cl::value_desc("directory"),
    cl::desc("Write the MIR around each pass of register allocation into this existing directory"));

static unsigned Allocation = 0;

namespace {

/// Tells the spiller's wrapper which allocation follows. Counting spillers would not do: the allocator makes
/// none in a function that has nothing to allocate.
class AllocationMarker : public MachineFunctionPass {
public:
  static char ID;
  explicit AllocationMarker(unsigned Index) : MachineFunctionPass(ID), Index(Index) {}

  bool runOnMachineFunction(MachineFunction &) override {
    Allocation = Index;
    return false;
  }

  void getAnalysisUsage(AnalysisUsage &Usage) const override {
    Usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(Usage);
  }

  StringRef getPassName() const override { return "Mark the register allocation"; }

private:
  unsigned Index;
};

char AllocationMarker::ID = 0;

StringRef passArgument(const Pass &P) {
  const PassInfo *Info = PassRegistry::getPassRegistry()->getPassInfo(P.getPassID());
  return Info ? Info->getPassArgument() : StringRef();
}

bool isStage(StringRef Name) {
  return Name == "greedy" || Name == "virtregrewriter" || Name == "stack-slot-coloring" ||
         Name == "si-lower-sgpr-spills";
}

} // namespace

namespace regtriage {

unsigned currentAllocation() { return Allocation; }

void StagePassManager::printStage(const Twine &Name) {
  SmallString<128> Path(StageDirectory);
  std::string Number;
  raw_string_ostream(Number) << format("%02u-", Sequence++);
  sys::path::append(Path, Number + Name + ".mir");
  legacy::PassManager::add(createPrintMIRPass(outputs().open(Path)));
}

void StagePassManager::add(Pass *P) {
  // Taken before the pass is added: the manager deletes a pass that it holds already.
  const StringRef Name = passArgument(*P);
  if (!isStage(Name)) {
    legacy::PassManager::add(P);
    return;
  }
  const bool Print = !StageDirectory.empty();
  const unsigned Run = Runs[Name]++;
  const std::string Suffix = (Name + "-" + Twine(Run)).str();
  if (Name == "greedy") {
    if (Print)
      printStage("before-" + Suffix);
    legacy::PassManager::add(new AllocationMarker(Run));
  }
  legacy::PassManager::add(P);
  if (Print)
    printStage("after-" + Suffix);
}

} // namespace regtriage
