// regtriage-llc: compiles LLVM IR, bitcode or MIR, with control over the inline spiller (spiller.cpp) and the
// MIR of every stage of register allocation (stages.cpp). LLVM's own flags work as in llc.
//
// Exit status: 0 compiled; 2 the input or the command line is wrong; 3 the backend failed. On 2 and 3 a
// message is on stderr, as `place: error: text`, and no output file is left behind.

#include "outputs.h"
#include "reduce.h"
#include "serve.h"
#include "spiller.h"
#include "stages.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/InitializePasses.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "disassemble.h"
#include <unistd.h>

using namespace llvm;
using namespace regtriage;

static codegen::RegisterCodeGenFlags CodeGenFlags;
static cl::opt<std::string> InputFile(cl::Positional, cl::init("-"), cl::desc("<input .ll, .bc or .mir>"));
static cl::opt<std::string> OutputFile("o", cl::init("-"), cl::value_desc("file"), cl::desc("Output file"));
static cl::opt<std::string>
    InputLanguage("x", cl::value_desc("ir|mir"),
                  cl::desc("Language of the input, where its name does not end in .mir"));
static cl::opt<std::string> TargetTriple("mtriple", cl::desc("Override the module's target triple"));
static cl::opt<std::string> DefaultCPU(
    "default-cpu", cl::value_desc("cpu"),
    cl::desc("Target cpu of AMDGPU functions where neither -mcpu, the triple nor the function names one"));
static cl::opt<bool> AsmVerbose("asm-verbose", cl::init(true),
                                cl::desc("Comment the assembly (on by default)"));
static cl::opt<char> OptLevel("O", cl::Prefix, cl::init('2'), cl::desc("Optimization level: -O0 to -O3"));
static cl::list<std::string> RunPasses("run-pass", cl::CommaSeparated, cl::value_desc("pass"),
                                       cl::desc("Run just these passes over MIR"));

namespace {

enum ExitStatus { Success = 0, BadInput = 2, BackendFailed = 3 };

/// Whose fault an error is: the input's until all of it is read, the backend's from then on.
ExitStatus Blame = BadInput;

/// Ends the process, after an error that LLVM has reported; outputs are removed.
[[noreturn]] void fail(ExitStatus Status) {
  sys::RunInterruptHandlers();
  errs().flush();
  _exit(Status);
}

/// Says what is wrong and ends the process.
[[noreturn]] void fail(ExitStatus Status, const Twine &Message) {
  errs() << Message << '\n';
  fail(Status);
}

[[noreturn]] void failAtInput(ExitStatus Status, const Twine &Message) {
  fail(Status, InputFile + ": error: " + Message);
}

void failFatally(void *, const char *Reason, bool) { failAtInput(Blame, Reason); }

//===---------------------------------------------------------------------------------------------------------
// Diagnostics

/// Prints a message with its source line and a caret.
void printWithSource(const SMDiagnostic &Message) {
  // The YAML parser below MIR does not know the name of the file.
  const std::string File =
      Message.getFilename() == "YAML" ? InputFile.getValue() : Message.getFilename().str();
  SMDiagnostic Named(*Message.getSourceMgr(), Message.getLoc(), File, Message.getLineNo(),
                     Message.getColumnNo(), Message.getKind(), Message.getMessage(),
                     Message.getLineContents(), Message.getRanges());
  Named.print(nullptr, errs(), /*ShowColors=*/false);
}

/// Prints what LLVM reports, with a place in front, and remembers errors. llc does the same, but some of its
/// callers go on after an error and exit with 0.
class Diagnostics : public DiagnosticHandler {
public:
  explicit Diagnostics(bool &HasError) : HasError(HasError) {}

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() == DS_Error)
      HasError = true;
    if (Info.getSeverity() == DS_Remark)
      return true;
    if (const SMDiagnostic *Source = sourceDiagnostic(Info)) {
      printWithSource(*Source);
      return true;
    }
    std::string Message;
    raw_string_ostream Stream(Message);
    DiagnosticPrinterRawOStream Printer(Stream);
    Info.print(Printer);
    const std::string Place = place(Info);
    StringRef Text = Message;
    if (Text.consume_front(Place))
      Text = Text.ltrim(": ");
    errs() << Place << ": " << severity(Info) << ": " << Text << '\n';
    return true;
  }

private:
  static const SMDiagnostic *sourceDiagnostic(const DiagnosticInfo &Info) {
    if (const auto *Parser = dyn_cast<DiagnosticInfoMIRParser>(&Info))
      return &Parser->getDiagnostic();
    if (const auto *Assembly = dyn_cast<DiagnosticInfoSrcMgr>(&Info))
      return &Assembly->getSMDiag();
    return nullptr;
  }

  static std::string place(const DiagnosticInfo &Info) {
    switch (Info.getKind()) {
    case DK_GenericWithLoc:
    case DK_RegAllocFailure:
    case DK_ResourceLimit:
    case DK_StackSize:
    case DK_Unsupported: {
      const auto &Located = static_cast<const DiagnosticInfoWithLocationBase &>(Info);
      if (Located.isLocationAvailable())
        return Located.getLocationStr();
      break;
    }
    default:
      break;
    }
    return InputFile;
  }

  static StringRef severity(const DiagnosticInfo &Info) {
    switch (Info.getSeverity()) {
    case DS_Error:
      return "error";
    case DS_Warning:
      return "warning";
    case DS_Remark:
      return "remark";
    case DS_Note:
      return "note";
    }
    llvm_unreachable("unknown severity");
  }

  bool &HasError;
};

//===---------------------------------------------------------------------------------------------------------
// Targets

#define FOR_EACH_TARGET(X) X(AArch64) X(AMDGPU) X(SPIRV) X(X86)
#define DECLARE(NAME)                                                                                        \
  extern "C" void LLVMInitialize##NAME##TargetInfo();                                                        \
  extern "C" void LLVMInitialize##NAME##Target();                                                            \
  extern "C" void LLVMInitialize##NAME##TargetMC();                                                          \
  extern "C" void LLVMInitialize##NAME##AsmPrinter();
} // namespace
FOR_EACH_TARGET(DECLARE)
// SPIR-V has no assembly language of its own to parse.
extern "C" void LLVMInitializeAArch64AsmParser();
extern "C" void LLVMInitializeAMDGPUAsmParser();
extern "C" void LLVMInitializeX86AsmParser();
namespace {

void initializeTargets() {
#define INITIALIZE(NAME)                                                                                     \
  LLVMInitialize##NAME##TargetInfo();                                                                        \
  LLVMInitialize##NAME##Target();                                                                            \
  LLVMInitialize##NAME##TargetMC();                                                                          \
  LLVMInitialize##NAME##AsmPrinter();
  FOR_EACH_TARGET(INITIALIZE)
  LLVMInitializeAArch64AsmParser();
  LLVMInitializeAMDGPUAsmParser();
  LLVMInitializeX86AsmParser();
}

/// Registers the passes that -run-pass, -start-before and -stop-after can name.
void initializePasses() {
  PassRegistry &Registry = *PassRegistry::getPassRegistry();
  initializeCore(Registry);
  initializeCodeGen(Registry);
  initializeGlobalISel(Registry);
  initializeLoopStrengthReducePass(Registry);
  initializeScalarOpts(Registry);
  initializeTarget(Registry);
  initializeTransformUtils(Registry);
  initializeVectorization(Registry);
}

CodeGenOptLevel optLevel() {
  const auto Level = CodeGenOpt::parseLevel(OptLevel);
  if (!Level)
    fail(BadInput, "regtriage-llc: error: -O" + Twine(OptLevel.getValue()) + ": the levels are 0 to 3");
  return *Level;
}

const Target &lookUpTarget(Triple &TheTriple) {
  std::string Error;
  const Target *Found = TargetRegistry::lookupTarget(codegen::getMArch(), TheTriple, Error);
  if (!Found)
    failAtInput(BadInput, "no target for the triple '" + TheTriple.str() +
                              "': there are AArch64, AMDGPU, SPIR-V and X86");
  return *Found;
}

/// LLVM ignores a cpu or feature that it does not know, with a warning for each function.
void checkSubtarget(const Target &T, const Triple &TheTriple, StringRef CPU,
                    const std::vector<std::string> &Features) {
  const std::unique_ptr<MCSubtargetInfo> Info(T.createMCSubtargetInfo(TheTriple, "", ""));
  if (!CPU.empty() && !Info->isCPUStringValid(CPU))
    failAtInput(BadInput, "unknown cpu '" + CPU + "' for the target " + TheTriple.str());
  for (StringRef Feature : Features) {
    const StringRef Name = SubtargetFeatures::StripFlag(Feature);
    if (none_of(Info->getAllProcessorFeatures(), [&](const auto &Known) { return Name == Known.key(); }))
      failAtInput(BadInput, "unknown feature '" + Feature + "' for the target " + TheTriple.str());
  }
}

std::unique_ptr<TargetMachine> createTargetMachine(Triple TheTriple, StringRef CPU) {
  const Target &T = lookUpTarget(TheTriple);
  TargetOptions Options = codegen::InitTargetOptionsFromCodeGenFlags(TheTriple);
  Options.MCOptions.AsmVerbose = AsmVerbose;
  Options.MCOptions.PreserveAsmComments = true;
  return std::unique_ptr<TargetMachine>(T.createTargetMachine(TheTriple, CPU, codegen::getFeaturesStr(),
                                                              Options, codegen::getExplicitRelocModel(),
                                                              codegen::getExplicitCodeModel(), optLevel()));
}

//===---------------------------------------------------------------------------------------------------------
// Input

struct Input {
  std::unique_ptr<MIRParser> MIR;
  std::unique_ptr<Module> M;
};

bool isMIR() {
  if (InputLanguage.empty())
    return StringRef(InputFile).ends_with(".mir");
  if (InputLanguage != "ir" && InputLanguage != "mir")
    fail(BadInput, "regtriage-llc: error: -x " + InputLanguage + ": the languages are ir and mir");
  return InputLanguage == "mir";
}

[[noreturn]] void failToParse(const SMDiagnostic &Error) {
  if (Error.getLineNo() <= 0)
    failAtInput(BadInput, Error.getMessage());
  printWithSource(Error);
  fail(BadInput);
}

[[noreturn]] void failToParseMIR(bool IsReported) {
  if (IsReported)
    fail(BadInput);
  failAtInput(BadInput, "not MIR");
}

Triple overridingTriple() { return Triple(Triple::normalize(TargetTriple)); }

Input readInput(LLVMContext &Context, const bool &HasError) {
  Input Result;
  SMDiagnostic Error;
  // A triple that is missing or unknown is reported once the input is known to be one.
  auto DataLayout = [](StringRef ModuleTriple, StringRef) -> std::optional<std::string> {
    const Triple TheTriple = TargetTriple.empty() ? Triple(ModuleTriple) : overridingTriple();
    if (TheTriple.getArch() == Triple::UnknownArch)
      return std::nullopt;
    return TheTriple.computeDataLayout(
        codegen::InitTargetOptionsFromCodeGenFlags(TheTriple).MCOptions.getABIName());
  };
  if (isMIR()) {
    const std::string CPU = codegen::getCPUStr(), Features = codegen::getFeaturesStr();
    Result.MIR = createMIRParserFromFile(
        InputFile, Error, Context, [=](Function &F) { codegen::setFunctionAttributes(F, CPU, Features); });
    if (!Result.MIR)
      failToParse(Error);
    Result.M = Result.MIR->parseIRModule(DataLayout);
    if (!Result.M)
      failToParseMIR(HasError);
  } else {
    Result.M = parseIRFile(InputFile, Error, Context, ParserCallbacks(DataLayout));
    if (!Result.M)
      failToParse(Error);
  }
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(*Result.M, &Stream))
    failAtInput(BadInput, "invalid IR: " + StringRef(Broken).trim());
  if (all_of(*Result.M, [](const Function &F) { return F.isDeclaration(); }))
    failAtInput(BadInput, "no function to compile");
  if (!TargetTriple.empty())
    Result.M->setTargetTriple(overridingTriple());
  if (Result.M->getTargetTriple().empty())
    failAtInput(BadInput, "the input has no target triple: give -mtriple");
  return Result;
}

/// Settles the target cpu of every function; what a function says of itself goes first. Returns the cpu of
/// the module as a whole, which the assembly's header names: -mcpu, else the one on which all functions
/// agree.
std::string setFunctionTargets(Module &M, const Target &T) {
  const Triple &TheTriple = M.getTargetTriple();
  const std::string CPU = codegen::getCPUStr();
  checkSubtarget(T, TheTriple, CPU, codegen::getFeatureList());
  const bool NeedsCPU = TheTriple.isAMDGPU() && CPU.empty() && TheTriple.getSubArch() == Triple::NoSubArch;
  bool Warned = false;
  SmallSet<StringRef, 2> FunctionCPUs;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (F.hasFnAttribute("target-cpu")) {
      checkSubtarget(T, TheTriple, F.getFnAttribute("target-cpu").getValueAsString(), {});
    } else if (NeedsCPU && !DefaultCPU.empty()) {
      checkSubtarget(T, TheTriple, DefaultCPU, {});
      F.addFnAttr("target-cpu", DefaultCPU);
    } else if (NeedsCPU && !Warned) {
      errs() << InputFile << ": warning: no target cpu for '" << F.getName()
             << "': compiling for a generic one\n";
      Warned = true;
    }
    codegen::setFunctionAttributes(F, CPU, codegen::getFeaturesStr());
    FunctionCPUs.insert(F.getFnAttribute("target-cpu").getValueAsString());
  }
  return CPU.empty() && FunctionCPUs.size() == 1 ? FunctionCPUs.begin()->str() : CPU;
}

//===---------------------------------------------------------------------------------------------------------
// Compilation

bool addNamedPass(StringRef Name, TargetPassConfig &Config, legacy::PassManagerBase &PM) {
  const PassInfo *Info = PassRegistry::getPassRegistry()->getPassInfo(Name);
  if (!Info || !Info->getNormalCtor())
    return false;
  Pass *P = Info->getNormalCtor()();
  const std::string Banner = ("After " + P->getPassName()).str();
  Config.addMachinePrePasses();
  PM.add(P);
  Config.addMachinePostPasses(Banner);
  return true;
}

/// The pipeline from MIR: all of code generation from where -start-before says, or the named passes.
void addPassesForMIR(legacy::PassManagerBase &PM, TargetMachine &TM, MachineModuleInfoWrapperPass &MMI,
                     raw_pwrite_stream &Output) {
  TargetPassConfig *Config = TM.createPassConfig(PM);
  PM.add(Config);
  PM.add(&MMI);
  bool Complete = false;
  if (!RunPasses.empty()) {
    for (const std::string &Name : RunPasses)
      if (!addNamedPass(Name, *Config, PM))
        fail(BadInput, "regtriage-llc: error: -run-pass: unknown pass '" + Name + "'");
  } else {
    if (Config->addISelPasses())
      failAtInput(BackendFailed, "this target cannot compile MIR");
    Config->addMachinePasses();
    Complete = TargetPassConfig::willCompleteCodeGenPipeline();
  }
  Config->setInitialized();
  if (!Complete)
    PM.add(createPrintMIRPass(Output));
  else if (TM.addAsmPrinter(PM, Output, nullptr, codegen::getFileType(), MMI.getMMI().getContext()))
    failAtInput(BackendFailed, "this target cannot write the wanted file type");
  PM.add(createFreeMachineFunctionPass());
}

/// Refuses options that make sense for MIR alone; LLVM crashes on them.
void checkStart(bool IsMIR) {
  if (IsMIR)
    return;
  for (StringRef Name : {"run-pass", "start-before", "start-after"})
    if (cl::getRegisteredOptions().lookup(Name)->getNumOccurrences() > 0)
      failAtInput(BadInput, "-" + Name + " needs MIR");
}

void compile(Input In, TargetMachine &TM, const bool &HasError) {
  checkStart(In.MIR != nullptr);
  raw_fd_ostream &File = outputs().open(OutputFile);
  const bool NeedsBuffer = codegen::getFileType() != CodeGenFileType::AssemblyFile && !File.supportsSeeking();
  std::optional<buffer_ostream> Buffer;
  if (NeedsBuffer)
    Buffer.emplace(File);
  raw_pwrite_stream &Output = NeedsBuffer ? static_cast<raw_pwrite_stream &>(*Buffer) : File;

  StagePassManager PM;
  TargetLibraryInfoImpl LibraryInfo(In.M->getTargetTriple());
  PM.add(new TargetLibraryInfoWrapperPass(LibraryInfo));
  auto *MMI = new MachineModuleInfoWrapperPass(&TM);
  if (In.MIR) {
    addPassesForMIR(PM, TM, *MMI, Output);
    if (In.MIR->parseMachineFunctions(*In.M, MMI->getMMI()))
      failToParseMIR(HasError);
  } else if (TM.addPassesToEmitFile(PM, Output, nullptr, codegen::getFileType(), /*DisableVerify=*/false,
                                    MMI)) {
    failAtInput(BackendFailed, "this target cannot write the wanted file type");
  }
  // All of the input is read and valid.
  Blame = BackendFailed;
  PM.run(*In.M);
  if (HasError || MMI->getMMI().getContext().hadError())
    fail(BackendFailed);
}

/// One call of the program.
int run(int argc, char **argv) {
  cl::SetVersionPrinter(
      [](raw_ostream &OS) { OS << "regtriage-llc, LLVM version " LLVM_VERSION_STRING "\n"; });
  std::string Mistakes;
  raw_string_ostream MistakesStream(Mistakes);
  if (!cl::ParseCommandLineOptions(argc, argv, "compiles IR or MIR, with control over the spiller\n",
                                   &MistakesStream)) {
    StringRef First = StringRef(Mistakes).split('\n').first;
    First.consume_front("regtriage-llc: ");
    fail(BadInput, "regtriage-llc: error: " + First);
  }
  if (const std::string Message = invalidSpillerOption(); !Message.empty())
    fail(BadInput, "regtriage-llc: error: " + Message);
  if (wantsDisassembly()) {
    if (const std::string Message = disassemble(InputFile, outputs().open(OutputFile)); !Message.empty())
      failAtInput(BadInput, Message);
    return outputs().keepAll() ? Success : BackendFailed;
  }

  bool HasError = false;
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<Diagnostics>(HasError));
  Input In = readInput(Context, HasError);
  if (wantsReduction()) {
    if (In.MIR)
      failAtInput(BadInput, "-reduce-pass needs IR");
    if (wantsReductionCount()) {
      outs() << countReductionTargets(*In.M) << '\n';
      return Success;
    }
    if (const std::string Message = reduceModule(In.M); !Message.empty())
      failAtInput(BadInput, Message);
  }
  Triple TheTriple = In.M->getTargetTriple();
  const std::string CPU = setFunctionTargets(*In.M, lookUpTarget(TheTriple));
  const std::unique_ptr<TargetMachine> TM = createTargetMachine(TheTriple, CPU);
  if (!TM)
    failAtInput(BackendFailed, "no code generator for " + TheTriple.str());
  compile(std::move(In), *TM, HasError);
  return outputs().keepAll() ? Success : BackendFailed;
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM Process(argc, argv);
  install_fatal_error_handler(failFatally);
  setBugReportMsg("");
  initializeTargets();
  initializePasses();
  return wantsServing(argc, argv) ? serve(argv[0], run) : run(argc, argv);
}
