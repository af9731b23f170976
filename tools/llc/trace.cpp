#include "trace.h"

#include "outputs.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/PseudoSourceValue.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/CodeGen/VirtRegMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"

using namespace llvm;

static cl::opt<std::string>
    TraceFile("spiller-trace", cl::value_desc("file"),
              cl::desc("Write the inline spiller's decisions and spill code as JSON lines"));

namespace regtriage {

bool traceEnabled() { return !TraceFile.empty(); }

void writeEvent(const std::string &Line) {
  static raw_fd_ostream &OS = outputs().open(TraceFile);
  OS << Line << '\n';
}

std::string renderEvent(StringRef Event, const MachineFunction &MF, unsigned Allocation,
                        function_ref<void(json::OStream &)> Body) {
  std::string Line;
  raw_string_ostream Stream(Line);
  json::OStream J(Stream);
  J.object([&] {
    J.attribute("event", Event);
    J.attribute("function", json::fixUTF8(MF.getName()));
    J.attribute("allocation", int64_t(Allocation));
    Body(J);
  });
  J.flush();
  return Line;
}

void renderLocation(json::OStream &J, const DebugLoc &Loc) {
  J.attributeArray("loc", [&] {
    for (const DILocation *L = Loc.get(); L; L = L->getInlinedAt())
      J.object([&] {
        J.attribute("file", json::fixUTF8(L->getFilename()));
        J.attribute("line", int64_t(L->getLine()));
        J.attribute("column", int64_t(L->getColumn()));
      });
  });
}

EventRenderer::EventRenderer(const MachineFunction &MF, const LiveIntervals &LIS, const VirtRegMap &VRM)
    : MF(MF), LIS(LIS), VRM(VRM), TII(*MF.getSubtarget().getInstrInfo()),
      TRI(*MF.getSubtarget().getRegisterInfo()) {
  for (unsigned Index = 1; Index < TRI.getNumSubRegIndices(); ++Index)
    if (TRI.getSubRegIdxSize(Index) <= 32)
      LaneIndices.push_back(Index);
  llvm::stable_sort(LaneIndices, [&](unsigned A, unsigned B) {
    return std::make_pair(TRI.getSubRegIdxOffset(A), TRI.getSubRegIdxSize(B)) <
           std::make_pair(TRI.getSubRegIdxOffset(B), TRI.getSubRegIdxSize(A));
  });
}

SlotAccess EventRenderer::classify(const MachineInstr &MI) const {
  int Slot = -1;
  if (Register Reg = TII.isStoreToStackSlot(MI, Slot))
    return {"save", Reg, Slot};
  if (Register Reg = TII.isLoadFromStackSlot(MI, Slot))
    return {"reload", Reg, Slot};
  SmallVector<const MachineMemOperand *, 1> Accesses;
  auto SlotOf = [&] {
    const PseudoSourceValue *Source = Accesses.front()->getPseudoValue();
    return cast<FixedStackPseudoSourceValue>(Source)->getFrameIndex();
  };
  if (TII.hasStoreToStackSlot(MI, Accesses))
    return {"folded-save", Register(), SlotOf()};
  if (TII.hasLoadFromStackSlot(MI, Accesses))
    return {"folded-reload", Register(), SlotOf()};
  return {MI.isKill() ? "kill" : MI.isCopy() ? "copy" : "other", Register(), -1};
}

DebugLoc EventRenderer::findValue(Register Reg, SlotIndex Index) const {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  auto DefinitionAt = [&](Register R, SlotIndex At) -> const MachineInstr * {
    if (!At.isValid() || !LIS.hasInterval(R))
      return nullptr;
    const LiveInterval &Interval = LIS.getInterval(R);
    const VNInfo *Value = Interval.getVNInfoAt(At);
    if (!Value)
      Value = Interval.getVNInfoBefore(At);
    return Value && !Value->isPHIDef() ? LIS.getInstructionFromIndex(Value->def) : nullptr;
  };
  // Split copies have no location: follow them to what they copy.
  auto FollowCopies = [&](Register Source) {
    constexpr unsigned MaxCopies = 16;
    SlotIndex At = Index;
    for (unsigned Copies = 0; Source.isVirtual() && Copies < MaxCopies; ++Copies) {
      const MachineInstr *Definition = DefinitionAt(Source, At);
      if (!Definition)
        break;
      if (Definition->getDebugLoc() || !Definition->isCopy())
        return Definition->getDebugLoc();
      Source = Definition->getOperand(1).getReg();
      At = LIS.getInstructionIndex(*Definition);
    }
    return DebugLoc();
  };
  // The original's interval outlives its splitting; the instruction that defined it now defines a sibling.
  for (Register R : {Reg, VRM.getOriginal(Reg)}) {
    if (DebugLoc Loc = FollowCopies(R))
      return Loc;
    for (const MachineInstr &Definition : MRI.def_instructions(R))
      if (Definition.getDebugLoc())
        return Definition.getDebugLoc();
  }
  return DebugLoc();
}

DebugLoc EventRenderer::definitionLocation(Register Reg) const {
  for (const VNInfo *Value : LIS.getInterval(Reg).vnis())
    if (!Value->isUnused())
      if (DebugLoc Loc = findValue(Reg, Value->def))
        return Loc;
  return DebugLoc();
}

void EventRenderer::instruction(json::OStream &J, const MachineInstr &MI, Register Value) const {
  SlotIndex Index;
  if (!LIS.isNotInMIMap(MI))
    Index = LIS.getInstructionIndex(MI);
  if (MI.getParent())
    J.attribute("block", MI.getParent()->getNumber());
  std::string Text;
  raw_string_ostream Stream(Text);
  if (Index.isValid()) {
    Stream << Index;
    J.attribute("index", Text);
    Text.clear();
  }
  J.attribute("opcode", TII.getName(MI.getOpcode()));
  MI.print(Stream, /*IsStandalone=*/false, /*SkipOpers=*/false, /*SkipDebugLoc=*/true, /*AddNewLine=*/false,
           &TII);
  J.attribute("text", json::fixUTF8(StringRef(Text).trim()));
  if (MI.getDebugLoc()) {
    renderLocation(J, MI.getDebugLoc());
    J.attribute("loc_of", "instruction");
    return;
  }
  const DebugLoc Loc = Value.isVirtual() ? findValue(Value, Index) : DebugLoc();
  renderLocation(J, Loc);
  J.attribute("loc_of", Loc ? "value" : "none");
}

void EventRenderer::registerClass(json::OStream &J, Register Reg) const {
  J.attribute("class", TRI.getRegClassName(MF.getRegInfo().getRegClass(Reg)));
}

void EventRenderer::lanes(json::OStream &J, StringRef Key, Register Reg, LaneBitmask Lanes) const {
  std::string Hex;
  raw_string_ostream(Hex) << format_hex_no_prefix(Lanes.getAsInteger(), 1);
  J.attribute(Key, Hex);
  const TargetRegisterClass *Class = MF.getRegInfo().getRegClass(Reg);
  J.attributeArray((Key + "_names").str(), [&] {
    LaneBitmask Left = Lanes;
    for (unsigned Index : LaneIndices) {
      const LaneBitmask Mask = TRI.getSubRegIndexLaneMask(Index);
      if (Mask.none() || (Mask & ~Left).any() || TRI.getSubClassWithSubReg(Class, Index) != Class)
        continue;
      J.value(TRI.getSubRegIndexName(Index));
      Left &= ~Mask;
    }
  });
}

InstructionLog::InstructionLog(MachineFunction &MF, const EventRenderer &Renderer, const LiveIntervals &LIS,
                               unsigned Allocation, StringRef Phase, int64_t Call, CauseOfInsertion Cause)
    : MF(MF), Renderer(Renderer), LIS(LIS), Allocation(Allocation), Phase(Phase), Call(Call),
      Cause(std::move(Cause)) {
  MF.setDelegate(this);
}

InstructionLog::~InstructionLog() { MF.resetDelegate(this); }

/// The register whose value an instruction moves or makes.
static Register valueOf(const MachineInstr &MI, const SlotAccess &Access) {
  if (Access.Reg)
    return Access.Reg;
  if (MI.isCopy() && MI.getOperand(1).getReg().isVirtual())
    return MI.getOperand(1).getReg();
  for (const MachineOperand &Def : MI.all_defs())
    if (Def.getReg().isVirtual())
      return Def.getReg();
  return Register();
}

void InstructionLog::attributes(json::OStream &J, const MachineInstr &MI, const SlotAccess &Access,
                                StringRef WhyChanged) const {
  J.attribute("phase", Phase);
  J.attribute("call", Call);
  J.attribute("what", Access.What);
  J.attribute("cause", WhyChanged);
  J.attribute("slot", Access.Slot);
  J.attribute("register", number(Access.Reg));
  if (Access.Reg.isVirtual())
    Renderer.registerClass(J, Access.Reg);
  Renderer.instruction(J, MI, valueOf(MI, Access));
}

void InstructionLog::renderInsertion(Event &E) {
  const SlotAccess Access = Renderer.classify(*E.Pending);
  Saves += Access.What.ends_with("save");
  Reloads += Access.What.ends_with("reload");
  const std::string Why = Cause(Access, E.Context);
  E.Line = renderEvent("insert", MF, Allocation,
                       [&](json::OStream &J) { attributes(J, *E.Pending, Access, Why); });
  E.Pending = nullptr;
}

void InstructionLog::complete(MachineInstr &MI) {
  const auto Entry = Pending.find(&MI);
  if (Entry == Pending.end())
    return;
  renderInsertion(Events[Entry->second]);
  Pending.erase(Entry);
}

void InstructionLog::MF_HandleInsertion(MachineInstr &MI) {
  if (MI.isDebugInstr())
    return;
  // The memory of a removed instruction is used again.
  Retired.erase(&MI);
  Pending[&MI] = Events.size();
  Events.push_back({&MI, Context, std::string()});
}

std::string InstructionLog::renderRemoval(const MachineInstr &MI, const SlotAccess &Access,
                                          StringRef WhyRemoved) const {
  return renderEvent("remove", MF, Allocation,
                     [&](json::OStream &J) { attributes(J, MI, Access, WhyRemoved); });
}

void InstructionLog::MF_HandleChangeDesc(MachineInstr &MI, const MCInstrDesc &Desc) {
  // The spiller turns a store that it finds redundant into a KILL and has it deleted as a dead definition:
  // this is the last moment at which it can be seen.
  if (Desc.getOpcode() != TargetOpcode::KILL || DeletingDeadDefs)
    return;
  complete(MI);
  const SlotAccess Access = Renderer.classify(MI);
  if (!Access.What.ends_with("save"))
    return;
  ++RedundantSpills;
  append(renderRemoval(MI, Access, "redundant-spill"));
  Retired.insert(&MI);
}

void InstructionLog::MF_HandleRemoval(MachineInstr &MI) {
  if (MI.isDebugInstr())
    return;
  complete(MI);
  if (Retired.erase(&MI))
    return;
  const SlotAccess Access = Renderer.classify(MI);
  const StringRef Why = DeletingDeadDefs ? "dead" : Access.Slot >= 0 ? "coalesced" : "deleted";
  append(renderRemoval(MI, Access, Why));
}

void InstructionLog::finish() {
  for (Event &E : Events) {
    if (E.Pending)
      renderInsertion(E);
    writeEvent(E.Line);
  }
  Events.clear();
  Pending.clear();
}

} // namespace regtriage
