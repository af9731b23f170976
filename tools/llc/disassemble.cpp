// See disassemble.h.

#include "disassemble.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/DebugInfo/DIContext.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormattedStream.h"
#include <memory>
#include <vector>

extern "C" void LLVMInitializeAMDGPUDisassembler();

using namespace llvm;

static cl::opt<bool> Disassemble("disassemble",
                                 cl::desc("Write the code of an AMDGPU code object (.hsaco, .co) as text"));

namespace regtriage {

bool wantsDisassembly() { return Disassemble; }

namespace {

constexpr unsigned CommentColumn = 64;
constexpr unsigned EncodingUnit = 4;

/// A stretch of machine code with a name.
struct Code {
  std::string Name;
  uint64_t Address;
  ArrayRef<uint8_t> Bytes;
  /// In a relocatable object addresses count from the start of their section, so it is part of them.
  uint64_t Section;
};

/// Everything LLVM needs to turn bytes into text for one processor.
class Decoder {
public:
  Decoder(const Target &T, const Triple &TheTriple, StringRef CPU, const std::string &Features, uint8_t ABIVersion)
      : Registers(T.createMCRegInfo(TheTriple)), Asm(T.createMCAsmInfo(*Registers, TheTriple, Options)),
        Subtarget(T.createMCSubtargetInfo(TheTriple, CPU, Features)), Instructions(T.createMCInstrInfo()),
        Context(TheTriple, *Asm, *Registers, *Subtarget),
        Disassembler(T.createMCDisassembler(*Subtarget, Context)),
        Printer(T.createMCInstPrinter(TheTriple, Asm->getAssemblerDialect(), *Asm, *Instructions, *Registers)) {
    Disassembler->setABIVersion(ABIVersion);
  }

  /// One instruction as text; Size is what it takes. Bytes that are none are given as data.
  std::string decode(ArrayRef<uint8_t> Bytes, uint64_t Address, uint64_t &Size) {
    MCInst Instruction;
    std::string Text;
    raw_string_ostream OS(Text);
    if (Disassembler->getInstruction(Instruction, Size, Bytes, Address, nulls()) == MCDisassembler::Success) {
      Printer->printInst(&Instruction, Address, "", *Subtarget, OS);
      return StringRef(Text).trim().str();
    }
    Size = std::min<uint64_t>(EncodingUnit, Bytes.size());
    uint32_t Data = 0;
    for (unsigned I = 0; I < Size; ++I)
      Data |= uint32_t(Bytes[I]) << (8 * I);
    OS << ".long " << format_hex(Data, 10);
    return Text;
  }

private:
  MCTargetOptions Options;
  std::unique_ptr<MCRegisterInfo> Registers;
  std::unique_ptr<MCAsmInfo> Asm;
  std::unique_ptr<MCSubtargetInfo> Subtarget;
  std::unique_ptr<MCInstrInfo> Instructions;
  MCContext Context;
  std::unique_ptr<MCDisassembler> Disassembler;
  std::unique_ptr<MCInstPrinter> Printer;
};

/// The functions of an object in the order of their addresses.
Expected<std::vector<Code>> functionsOf(const object::ELFObjectFileBase &Object) {
  std::vector<Code> Found;
  for (const object::ELFSymbolRef Symbol : Object.symbols()) {
    if (Symbol.getELFType() != ELF::STT_FUNC)
      continue;
    Expected<object::section_iterator> Section = Symbol.getSection();
    if (!Section)
      return Section.takeError();
    if (*Section == Object.section_end() || !(*Section)->isText())
      continue;
    Expected<StringRef> Name = Symbol.getName();
    if (!Name)
      return Name.takeError();
    Expected<uint64_t> Address = Symbol.getAddress();
    if (!Address)
      return Address.takeError();
    Expected<StringRef> Contents = (*Section)->getContents();
    if (!Contents)
      return Contents.takeError();
    const uint64_t Start = *Address - (*Section)->getAddress();
    if (Start > Contents->size())
      return createStringError("the symbol '" + *Name + "' lies outside of its section");
    const ArrayRef<uint8_t> Bytes = arrayRefFromStringRef(*Contents).drop_front(Start);
    const uint64_t Index =
        Object.isRelocatableObject() ? (*Section)->getIndex() : object::SectionedAddress::UndefSection;
    Found.push_back({Name->str(), *Address, Bytes.take_front(Symbol.getSize()), Index});
  }
  llvm::stable_sort(Found, [](const Code &A, const Code &B) { return A.Address < B.Address; });
  return Found;
}

/// `a.py:1:2 @[ b.py:3:4 ]`, or "" where nothing is known.
std::string sourceOf(DIContext &Debug, object::SectionedAddress Address) {
  DILineInfoSpecifier What(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath);
  const DIInliningInfo Chain = Debug.getInliningInfoForAddress(Address, What);
  std::string Text;
  unsigned Open = 0;
  for (unsigned I = 0, E = Chain.getNumberOfFrames(); I != E; ++I) {
    const DILineInfo &Frame = Chain.getFrame(I);
    if (Frame.FileName == DILineInfo::BadString || Frame.Line == 0)
      break;
    if (I > 0) {
      Text += " @[ ";
      ++Open;
    }
    Text += Frame.FileName + ":" + std::to_string(Frame.Line) + ":" + std::to_string(Frame.Column);
  }
  for (; Open > 0; --Open)
    Text += " ]";
  return Text;
}

void printEncoding(formatted_raw_ostream &OS, ArrayRef<uint8_t> Bytes) {
  for (; Bytes.size() >= EncodingUnit; Bytes = Bytes.drop_front(EncodingUnit)) {
    uint32_t Word = 0;
    for (unsigned I = 0; I < EncodingUnit; ++I)
      Word |= uint32_t(Bytes[I]) << (8 * I);
    OS << ' ' << format("%08X", Word);
  }
}

void print(const Code &Function, Decoder &TheDecoder, DIContext &Debug, formatted_raw_ostream &OS) {
  OS << '\n' << format("%016" PRIx64, Function.Address) << " <" << Function.Name << ">:\n";
  std::string Source;
  for (uint64_t At = 0, Size = 0; At < Function.Bytes.size(); At += Size) {
    const uint64_t Address = Function.Address + At;
    const std::string Text = TheDecoder.decode(Function.Bytes.drop_front(At), Address, Size);
    if (Size == 0)
      break;
    std::string Here = sourceOf(Debug, {Address, Function.Section});
    if (Here != Source) {
      Source = std::move(Here);
      OS << "; " << (Source.empty() ? ":0:0" : Source) << '\n';
    }
    OS << '\t' << Text;
    OS.PadToColumn(CommentColumn) << "// " << format("%012" PRIX64, Address) << ':';
    printEncoding(OS, Function.Bytes.slice(At, Size));
    OS << '\n';
  }
}

std::string firstLine(Error E) {
  const std::string Text = toString(std::move(E));
  return StringRef(Text).split('\n').first.str();
}

} // namespace

std::string disassemble(StringRef Path, raw_ostream &OS) {
  Expected<object::OwningBinary<object::Binary>> File = object::createBinary(Path);
  if (!File)
    return firstLine(File.takeError());
  const auto *Object = dyn_cast<object::ELFObjectFileBase>(File->getBinary());
  if (!Object || Object->getEMachine() != ELF::EM_AMDGPU)
    return "not an AMDGPU code object";
  const std::optional<StringRef> CPU = Object->tryGetCPUName();
  if (!CPU || CPU->empty())
    return "the object does not say for which processor it is";
  Expected<SubtargetFeatures> Features = Object->getFeatures();
  if (!Features)
    return firstLine(Features.takeError());
  Expected<std::vector<Code>> Functions = functionsOf(*Object);
  if (!Functions)
    return firstLine(Functions.takeError());
  if (Functions->empty())
    return "no function in this code object";

  LLVMInitializeAMDGPUDisassembler();
  const Triple TheTriple = Object->makeTriple();
  std::string Message;
  const Target *T = TargetRegistry::lookupTarget(TheTriple, Message);
  if (!T)
    return Message;
  Decoder TheDecoder(*T, TheTriple, *CPU, Features->getString(), Object->getEIdentABIVersion());
  const std::unique_ptr<DIContext> Debug = DWARFContext::create(
      *Object, DWARFContext::ProcessDebugRelocations::Process, nullptr, "", [](Error E) { consumeError(std::move(E)); },
      [](Error E) { consumeError(std::move(E)); });
  formatted_raw_ostream Formatted(OS);
  Formatted << "\t.amdgcn_target \"amdgcn-amd-amdhsa--" << *CPU << "\"\n";
  for (const Code &Function : *Functions)
    print(Function, TheDecoder, *Debug, Formatted);
  return "";
}

} // namespace regtriage
