// Control over LLVM's inline spiller, from outside LLVM.
//
// The linker's --wrap lets this file stand in front of four functions that the spiller is reached by or
// calls. The spiller itself is LLVM's own and unchanged; what it may decide is steered through the only state
// that it asks for siblings, VirtRegMap's "split from" relation:
//
//   createInlineSpiller       a wrapper around LLVM's spiller is returned
//   AnalyzeVirtRegInBundle    called for each instruction of a register being spilled, right before the
//   spiller
//                             asks whether it is a copy of a sibling and whether a spill can be hoisted to it
//   MergeSegmentsInAsValue    called once the stack slot is settled: from here on instructions are spilled,
//   before
//                             they were only tried for rematerialisation
//   eliminateDeadDefs         called at the end of spilling, when a sibling must no longer be hidden
//
// Hoist guard. A copy that writes the spilled register from a sibling, defined in the same block and killed
// by the copy, makes the spiller store the sibling right after its definition. If some of the sibling's lanes
// are not live there the store is partial, and it overwrites those lanes of a slot that all siblings share.
// Refusing means hiding the sibling for this one instruction, so that LLVM takes the path it has for any
// other copy.
//
// Private slot. A register with a definition after which not all its lanes are live is made its own original
// while it is spilled, so it gets a stack slot of its own; afterwards it and the registers made for it get
// their original back.

#include "llvm/CodeGen/Spiller.h"
#include "live_lanes.h"
#include "outputs.h"
#include "spiller.h"
#include "stages.h"
#include "trace.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/LiveRangeEdit.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBundle.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/CodeGen/VirtRegMap.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace regtriage;

//===---------------------------------------------------------------------------------------------------------
// Options

namespace {
enum class HoistGuard { Off, Subranges, Lanes };
enum class PrivateSlot { Off, On };
} // namespace

static cl::OptionCategory SpillerOptions("Spiller options", "What the inline spiller may do, and its trace");

static cl::opt<HoistGuard>
    Guard("hoist-spill-guard", cl::init(HoistGuard::Off), cl::cat(SpillerOptions),
          cl::desc("Refuse to hoist a spill, within a block, to a sibling that is only partly live:"),
          cl::values(clEnumValN(HoistGuard::Off, "off", "never refuse"),
                     clEnumValN(HoistGuard::Subranges, "subranges",
                                "refuse if a sub-range of the sibling is not live"),
                     clEnumValN(HoistGuard::Lanes, "lanes",
                                "refuse if a lane of its class is not live, also one without a sub-range")));
static cl::opt<unsigned> GuardSkip("guard-skip", cl::init(0), cl::cat(SpillerOptions), cl::value_desc("n"),
                                   cl::desc("Let the first n partial hoists happen"));
static cl::opt<int> GuardCount("guard-count", cl::init(-1), cl::cat(SpillerOptions), cl::value_desc("n"),
                               cl::desc("Refuse at most n partial hoists (-1: no limit)"));
static cl::opt<PrivateSlot>
    Private("private-slot", cl::init(PrivateSlot::Off), cl::cat(SpillerOptions),
            cl::desc("Stack slot of a register with a definition after which not all lanes are live:"),
            cl::values(clEnumValN(PrivateSlot::Off, "off", "the one it shares with its siblings"),
                       clEnumValN(PrivateSlot::On, "on", "one of its own")));
static cl::opt<unsigned> PrivateSkip("private-skip", cl::init(0), cl::cat(SpillerOptions),
                                     cl::value_desc("n"),
                                     cl::desc("Leave the first n such registers in the shared slot"));
static cl::opt<int> PrivateCount("private-count", cl::init(-1), cl::cat(SpillerOptions), cl::value_desc("n"),
                                 cl::desc("Give at most n registers a private slot (-1: no limit)"));
static cl::list<std::string>
    PrivateOnly("private-only", cl::CommaSeparated, cl::cat(SpillerOptions),
                cl::value_desc("allocation:register[@function]"),
                cl::desc("Give just these registers a private slot, for example 0:1417,2:88@kernel"));
static cl::opt<bool> NoPostOptimization(
    "no-post-optimization", cl::init(false), cl::cat(SpillerOptions),
    cl::desc("Skip the spiller's last step, which hoists spills across blocks and removes redundant ones"));
static cl::opt<std::string> LiveLanesFile(
    "live-lanes", cl::value_desc("file"), cl::cat(SpillerOptions),
    cl::desc("Write which lanes are live at block borders before each allocation, where not all lanes are"));

//===---------------------------------------------------------------------------------------------------------
// The choice of decisions

namespace {

/// Counts decisions over the whole module and picks those from the skip-th on, at most count of them.
class DecisionWindow {
public:
  unsigned take() { return Next++; }
  static bool contains(unsigned Ordinal, unsigned Skip, int Count) {
    return Ordinal >= Skip && (Count < 0 || Ordinal - Skip < unsigned(Count));
  }

private:
  unsigned Next = 0;
};

DecisionWindow PartialBySubranges, PartialByLanes, PrivateCandidates;

/// A register named on the command line.
struct NamedRegister {
  unsigned Allocation = 0;
  unsigned Number = 0;
  StringRef Function;

  static std::optional<NamedRegister> parse(StringRef Text) {
    NamedRegister Name;
    StringRef Numbers;
    std::tie(Numbers, Name.Function) = Text.split('@');
    const auto [Allocation, Number] = Numbers.split(':');
    if (Allocation.getAsInteger(10, Name.Allocation) || Number.getAsInteger(10, Name.Number))
      return std::nullopt;
    return Name;
  }

  bool matches(unsigned InAllocation, Register Reg, StringRef InFunction) const {
    return Allocation == InAllocation && Number == Reg.virtRegIndex() &&
           (Function.empty() || Function == InFunction);
  }
};

bool isNamed(unsigned Allocation, Register Reg, StringRef Function) {
  return any_of(PrivateOnly, [&](const std::string &Text) {
    const auto Name = NamedRegister::parse(Text);
    return Name && Name->matches(Allocation, Reg, Function);
  });
}

//===---------------------------------------------------------------------------------------------------------
// The wrapper

/// Counts of one allocation of one function, for the trace's summary.
struct Summary {
  unsigned Calls = 0, HoistCandidates = 0, PartialBySubranges = 0, PartialByLanes = 0, Refused = 0;
  unsigned PrivateCandidates = 0, PrivateGranted = 0, Saves = 0, Reloads = 0, RedundantSpills = 0;
};

/// One call of Spiller::spill.
struct SpillCall {
  int64_t Ordinal;
  Register Main;
  /// Main's original as the spiller sees it: Main itself where it has a private slot.
  Register Original;
  /// The slot is settled: instructions are being spilled, not rematerialised.
  bool SlotSettled = false;
  /// The sibling that the spiller takes for an unrelated register at the moment, and what it is split from.
  Register Hidden, HiddenSplitFrom;
  InstructionLog *Log = nullptr;
  /// Taken before spilling, which deletes the definitions.
  DebugLoc MainLocation;
};

/// A copy to which the spiller may hoist the spill of the register it writes.
struct HoistCandidate {
  Register Reg, Sibling;
  const LiveInterval *SiblingInterval;
  SlotIndex Index, SiblingDefinition;
};

class ControlledSpiller final : public Spiller {
public:
  ControlledSpiller(Spiller *Inner, const RequiredAnalyses &Analyses, MachineFunction &MF, VirtRegMap &VRM)
      : Inner(Inner), LIS(Analyses.LIS), MF(MF), VRM(VRM), MRI(MF.getRegInfo()),
        TII(*MF.getSubtarget().getInstrInfo()), Allocation(currentAllocation()), Renderer(MF, LIS, VRM) {}

  ArrayRef<Register> getSpilledRegs() override { return Inner->getSpilledRegs(); }
  ArrayRef<Register> getReplacedRegs() override { return Inner->getReplacedRegs(); }
  void spill(LiveRangeEdit &Edit, AllocationOrder *Order) override;
  void postOptimization() override;

  /// The spiller is about to look at MI, an instruction of the register Reg that it is spilling.
  void visit(MachineInstr &MI, Register Reg, const VirtRegInfo &Info);
  void settleSlot() { Call->SlotSettled = true; }
  void deadDefs(function_ref<void()> Eliminate);

private:
  void spillInto(LiveRangeEdit &Edit, AllocationOrder *Order, bool InPrivateSlot);
  std::string causeInSpill(const LiveRangeEdit &Edit, const SlotAccess &Access, Register HoistFrom) const;
  std::optional<HoistCandidate> hoistCandidate(const MachineInstr &MI, Register Reg,
                                               const VirtRegInfo &Info) const;
  bool decideHoist(const MachineInstr &MI, const HoistCandidate &Candidate);
  bool decidePrivate(Register Main, std::optional<unsigned> &Ordinal);
  LaneBitmask liveLanes(const LiveInterval &Interval, SlotIndex Index) const;
  LaneBitmask missingLanes(Register Reg) const;
  bool hasUndefDefinition(Register Reg) const;
  void hide(Register Sibling);
  void unhide();
  int slotOf(Register Reg) const;
  void writeSpill(const LiveRangeEdit &Edit, Register SharedOriginal, bool InPrivateSlot);
  void writePrivate(Register Main, Register SharedOriginal, unsigned Ordinal, LaneBitmask Missing, bool Undef,
                    bool Granted);
  void writeSummary();

  const std::unique_ptr<Spiller> Inner;
  LiveIntervals &LIS;
  MachineFunction &MF;
  VirtRegMap &VRM;
  const MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  const unsigned Allocation;
  const EventRenderer Renderer;
  Summary Counts;
  SpillCall *Call = nullptr;
};

/// The spiller that is inside spill(), where the wrapped functions report to.
ControlledSpiller *Active = nullptr;

LaneBitmask ControlledSpiller::liveLanes(const LiveInterval &Interval, SlotIndex Index) const {
  if (!Interval.hasSubRanges())
    return Interval.liveAt(Index) ? MRI.getMaxLaneMaskForVReg(Interval.reg()) : LaneBitmask::getNone();
  LaneBitmask Lanes;
  for (const LiveInterval::SubRange &Range : Interval.subranges())
    if (Range.liveAt(Index))
      Lanes |= Range.LaneMask;
  return Lanes;
}

/// The lanes that are not live right after some definition of the register.
LaneBitmask ControlledSpiller::missingLanes(Register Reg) const {
  const LiveInterval &Interval = LIS.getInterval(Reg);
  LaneBitmask Missing;
  if (!Interval.hasSubRanges())
    return Missing;
  const LaneBitmask All = MRI.getMaxLaneMaskForVReg(Reg);
  for (const VNInfo *Value : Interval.vnis())
    if (!Value->isUnused() && !Value->isPHIDef())
      Missing |= All & ~liveLanes(Interval, Value->def);
  return Missing;
}

bool ControlledSpiller::hasUndefDefinition(Register Reg) const {
  return any_of(MRI.def_operands(Reg),
                [](const MachineOperand &Def) { return Def.getSubReg() != 0 && Def.isUndef(); });
}

int ControlledSpiller::slotOf(Register Reg) const {
  const int Slot = VRM.getStackSlot(Reg);
  return Slot == VirtRegMap::NO_STACK_SLOT ? -1 : Slot;
}

void ControlledSpiller::hide(Register Sibling) {
  Call->Hidden = Sibling;
  Call->HiddenSplitFrom = VRM.getPreSplitReg(Sibling);
  // Any original but the common one does; a register that is the original cannot be its own.
  VRM.setIsSplitFromReg(Sibling, Sibling == Call->Original ? Call->Main : Sibling);
}

void ControlledSpiller::unhide() {
  if (!Call->Hidden)
    return;
  VRM.setIsSplitFromReg(Call->Hidden, Call->HiddenSplitFrom);
  Call->Hidden = Register();
}

/// The conditions under which LLVM's spiller hoists a spill within a block.
std::optional<HoistCandidate> ControlledSpiller::hoistCandidate(const MachineInstr &MI, Register Reg,
                                                                const VirtRegInfo &Info) const {
  if (MI.isBundled() || !Info.Writes || !TII.isCopyInstr(MI))
    return std::nullopt;
  const MachineOperand &To = MI.getOperand(0), &From = MI.getOperand(1);
  if (To.getReg() != Reg || To.getSubReg() != From.getSubReg())
    return std::nullopt;
  const Register Sibling = From.getReg();
  if (!Sibling.isVirtual() || VRM.getOriginal(Sibling) != Call->Original ||
      is_contained(Inner->getSpilledRegs(), Sibling))
    return std::nullopt;
  const LiveInterval &Interval = LIS.getInterval(Sibling);
  const SlotIndex Index = LIS.getInstructionIndex(MI);
  const VNInfo *Value = Interval.getVNInfoAt(Index);
  if (!Value || LIS.getMBBFromIndex(Value->def) != MI.getParent() || !Interval.Query(Index).isKill())
    return std::nullopt;
  return HoistCandidate{Reg, Sibling, &Interval, Index, Value->def};
}

/// Whether to refuse the hoist.
bool ControlledSpiller::decideHoist(const MachineInstr &MI, const HoistCandidate &Candidate) {
  const LiveInterval &Interval = *Candidate.SiblingInterval;
  const LaneBitmask Live = liveLanes(Interval, Candidate.Index);
  const LaneBitmask Dead = MRI.getMaxLaneMaskForVReg(Candidate.Sibling) & ~Live;
  const bool BySubranges = any_of(Interval.subranges(), [&](const LiveInterval::SubRange &Range) {
    return !Range.liveAt(Candidate.Index);
  });
  std::optional<unsigned> SubrangeOrdinal, LaneOrdinal;
  if (BySubranges)
    SubrangeOrdinal = PartialBySubranges.take();
  if (Dead.any())
    LaneOrdinal = PartialByLanes.take();
  const auto Ordinal = Guard == HoistGuard::Lanes ? LaneOrdinal : SubrangeOrdinal;
  const bool Refused =
      Guard != HoistGuard::Off && Ordinal && DecisionWindow::contains(*Ordinal, GuardSkip, GuardCount);
  ++Counts.HoistCandidates;
  Counts.PartialBySubranges += SubrangeOrdinal.has_value();
  Counts.PartialByLanes += LaneOrdinal.has_value();
  Counts.Refused += Refused;
  if (Call->Log) {
    auto OrdinalAttribute = [](json::OStream &J, StringRef Key, std::optional<unsigned> N) {
      J.attribute(Key, N ? json::Value(int64_t(*N)) : json::Value(nullptr));
    };
    Call->Log->append(renderEvent("hoist", MF, Allocation, [&](json::OStream &J) {
      J.attribute("call", Call->Ordinal);
      J.attribute("main", number(Call->Main));
      J.attribute("original", number(Call->Original));
      J.attribute("slot", slotOf(Call->Original));
      J.attribute("register", number(Candidate.Reg));
      J.attribute("sibling", number(Candidate.Sibling));
      std::string Definition;
      raw_string_ostream(Definition) << Candidate.SiblingDefinition;
      J.attribute("sibling_definition", Definition);
      OrdinalAttribute(J, "partial_by_subranges", SubrangeOrdinal);
      OrdinalAttribute(J, "partial_by_lanes", LaneOrdinal);
      J.attribute("refused", Refused);
      Renderer.registerClass(J, Candidate.Sibling);
      Renderer.lanes(J, "live", Candidate.Sibling, Live);
      Renderer.lanes(J, "dead", Candidate.Sibling, Dead);
      Renderer.instruction(J, MI, Candidate.Sibling);
    }));
  }
  return Refused;
}

void ControlledSpiller::visit(MachineInstr &MI, Register Reg, const VirtRegInfo &Info) {
  unhide();
  if (Call->Log)
    Call->Log->setContext(Register());
  if (!Call->SlotSettled)
    return;
  const auto Candidate = hoistCandidate(MI, Reg, Info);
  if (!Candidate)
    return;
  if (decideHoist(MI, *Candidate))
    hide(Candidate->Sibling);
  else if (Call->Log)
    Call->Log->setContext(Candidate->Sibling);
}

void ControlledSpiller::deadDefs(function_ref<void()> Eliminate) {
  unhide();
  if (Call->Log)
    Call->Log->setDeletingDeadDefs(true);
  Eliminate();
  if (Call->Log)
    Call->Log->setDeletingDeadDefs(false);
}

/// Whether to give Main a slot of its own; Ordinal is set if it is a candidate for one.
bool ControlledSpiller::decidePrivate(Register Main, std::optional<unsigned> &Ordinal) {
  if (VRM.getOriginal(Main) == Main || missingLanes(Main).none())
    return false;
  Ordinal = PrivateCandidates.take();
  if (Private == PrivateSlot::Off)
    return false;
  if (!PrivateOnly.empty())
    return isNamed(Allocation, Main, MF.getName());
  return DecisionWindow::contains(*Ordinal, PrivateSkip, PrivateCount);
}

/// Why the spiller inserted an instruction while spilling.
std::string ControlledSpiller::causeInSpill(const LiveRangeEdit &Edit, const SlotAccess &Access,
                                            Register HoistFrom) const {
  if (Access.What == "save" && HoistFrom && Access.Reg == HoistFrom)
    return "hoist-inside-bb";
  if (Access.What == "save" || Access.What == "reload") {
    // Its own stores and reloads go through a register made for one instruction.
    if (is_contained(Edit.regs(), Access.Reg))
      return Access.What == "save" ? "insert-spill" : "insert-reload";
    return "fold";
  }
  if (Access.Slot >= 0)
    return "fold";
  // insertSpill writes a KILL in place of a store of an undefined value.
  return Access.What == "kill" ? "insert-spill" : "remat";
}

void ControlledSpiller::spillInto(LiveRangeEdit &Edit, AllocationOrder *Order, bool InPrivateSlot) {
  const Register Main = Call->Main;
  const Register SplitFrom = VRM.getPreSplitReg(Main);
  if (InPrivateSlot)
    VRM.setIsSplitFromReg(Main, Main);
  Active = this;
  Inner->spill(Edit, Order);
  Active = nullptr;
  unhide();
  if (!InPrivateSlot)
    return;
  VRM.setIsSplitFromReg(Main, SplitFrom);
  for (Register Made : Edit.regs())
    if (VRM.getPreSplitReg(Made) == Main)
      VRM.setIsSplitFromReg(Made, SplitFrom);
}

void ControlledSpiller::spill(LiveRangeEdit &Edit, AllocationOrder *Order) {
  const Register Main = Edit.getReg();
  const Register SharedOriginal = VRM.getOriginal(Main);
  std::optional<unsigned> PrivateOrdinal;
  const bool InPrivateSlot = decidePrivate(Main, PrivateOrdinal);
  const LaneBitmask Missing = PrivateOrdinal ? missingLanes(Main) : LaneBitmask::getNone();
  const bool Undef = PrivateOrdinal && hasUndefDefinition(Main);
  Counts.PrivateCandidates += PrivateOrdinal.has_value();
  Counts.PrivateGranted += InPrivateSlot;

  SpillCall ThisCall;
  ThisCall.Ordinal = Counts.Calls++;
  ThisCall.Main = Main;
  ThisCall.Original = InPrivateSlot ? Main : SharedOriginal;
  Call = &ThisCall;
  if (!traceEnabled()) {
    spillInto(Edit, Order, InPrivateSlot);
  } else {
    InstructionLog Log(
        MF, Renderer, LIS, Allocation, "spill", ThisCall.Ordinal,
        [&](const SlotAccess &Access, Register HoistFrom) { return causeInSpill(Edit, Access, HoistFrom); });
    ThisCall.Log = &Log;
    ThisCall.MainLocation = Renderer.definitionLocation(Main);
    spillInto(Edit, Order, InPrivateSlot);
    writeSpill(Edit, SharedOriginal, InPrivateSlot);
    if (PrivateOrdinal)
      writePrivate(Main, SharedOriginal, *PrivateOrdinal, Missing, Undef, InPrivateSlot);
    Log.finish();
    Counts.Saves += Log.saves();
    Counts.Reloads += Log.reloads();
    Counts.RedundantSpills += Log.redundantSpills();
  }
  Call = nullptr;
}

void ControlledSpiller::postOptimization() {
  if (!traceEnabled()) {
    if (!NoPostOptimization)
      Inner->postOptimization();
    return;
  }
  if (!NoPostOptimization) {
    InstructionLog Log(MF, Renderer, LIS, Allocation, "post-optimization", -1,
                       [](const SlotAccess &Access, Register) {
                         return Access.Slot >= 0 ? "hoist-cross-bb" : "post-optimization";
                       });
    Inner->postOptimization();
    Log.finish();
    Counts.Saves += Log.saves();
    Counts.Reloads += Log.reloads();
    Counts.RedundantSpills += Log.redundantSpills();
  }
  writeSummary();
}

void ControlledSpiller::writeSpill(const LiveRangeEdit &Edit, Register SharedOriginal, bool InPrivateSlot) {
  writeEvent(renderEvent("spill", MF, Allocation, [&](json::OStream &J) {
    J.attribute("call", Call->Ordinal);
    J.attribute("main", number(Call->Main));
    J.attribute("original", number(SharedOriginal));
    J.attribute("slot", slotOf(Call->Original));
    J.attribute("private", InPrivateSlot);
    Renderer.registerClass(J, Call->Main);
    auto Registers = [&](StringRef Key, ArrayRef<Register> List) {
      J.attributeArray(Key, [&] {
        for (Register Reg : List)
          J.value(number(Reg));
      });
    };
    Registers("spilled", Inner->getSpilledRegs());
    Registers("made", Edit.regs());
    renderLocation(J, Call->MainLocation);
  }));
}

void ControlledSpiller::writePrivate(Register Main, Register SharedOriginal, unsigned Ordinal,
                                     LaneBitmask Missing, bool Undef, bool Granted) {
  writeEvent(renderEvent("private", MF, Allocation, [&](json::OStream &J) {
    J.attribute("call", Call->Ordinal);
    J.attribute("n", int64_t(Ordinal));
    J.attribute("main", number(Main));
    J.attribute("original", number(SharedOriginal));
    J.attribute("granted", Granted);
    J.attribute("private_slot", Granted ? slotOf(Main) : -1);
    J.attribute("shared_slot", slotOf(SharedOriginal));
    J.attribute("undef_definition", Undef);
    Renderer.registerClass(J, Main);
    Renderer.lanes(J, "missing", Main, Missing);
    renderLocation(J, Call->MainLocation);
  }));
}

void ControlledSpiller::writeSummary() {
  writeEvent(renderEvent("summary", MF, Allocation, [&](json::OStream &J) {
    J.attribute("calls", int64_t(Counts.Calls));
    J.attribute("hoist_candidates", int64_t(Counts.HoistCandidates));
    J.attribute("partial_by_subranges", int64_t(Counts.PartialBySubranges));
    J.attribute("partial_by_lanes", int64_t(Counts.PartialByLanes));
    J.attribute("refused", int64_t(Counts.Refused));
    J.attribute("private_candidates", int64_t(Counts.PrivateCandidates));
    J.attribute("private_granted", int64_t(Counts.PrivateGranted));
    J.attribute("saves", int64_t(Counts.Saves));
    J.attribute("reloads", int64_t(Counts.Reloads));
    J.attribute("redundant_spills", int64_t(Counts.RedundantSpills));
  }));
}

bool controlsAsked() {
  return traceEnabled() || Guard != HoistGuard::Off || Private != PrivateSlot::Off || NoPostOptimization;
}

} // namespace

std::string regtriage::invalidSpillerOption() {
  for (const std::string &Text : PrivateOnly)
    if (!NamedRegister::parse(Text))
      return "-private-only: '" + Text + "' is not ALLOCATION:REGISTER[@FUNCTION]";
  return std::string();
}

//===---------------------------------------------------------------------------------------------------------
// The wrapped functions. Names are those of the Itanium C++ ABI, which passes a member's object like a first
// parameter; CMakeLists.txt lists the same four.

#define CREATE_SPILLER                                                                                       \
  "_ZN4llvm19createInlineSpillerERKNS_7Spiller16RequiredAnalysesERNS_15MachineFunctionERNS_10VirtRegMapERNS" \
  "_14VirtRegAuxInfoEPNS_13LiveRegMatrixE"
#define ANALYZE                                                                                              \
  "_ZN4llvm22AnalyzeVirtRegInBundleERNS_12MachineInstrENS_8RegisterEPNS_15SmallVectorImplISt4pairIPS0_jEEE"
#define DEAD_DEFS                                                                                            \
  "_ZN4llvm13LiveRangeEdit17eliminateDeadDefsERNS_15SmallVectorImplIPNS_12MachineInstrEEENS_8ArrayRefINS_"   \
  "8RegisterEEE"
#define MERGE_SEGMENTS "_ZN4llvm9LiveRange22MergeSegmentsInAsValueERKS0_PNS_6VNInfoE"

using OperandList = SmallVectorImpl<std::pair<MachineInstr *, unsigned>>;

Spiller *realCreateSpiller(const Spiller::RequiredAnalyses &, MachineFunction &, VirtRegMap &,
                           VirtRegAuxInfo &, LiveRegMatrix *) asm("__real_" CREATE_SPILLER);
Spiller *wrapCreateSpiller(const Spiller::RequiredAnalyses &, MachineFunction &, VirtRegMap &,
                           VirtRegAuxInfo &, LiveRegMatrix *) asm("__wrap_" CREATE_SPILLER);
VirtRegInfo realAnalyze(MachineInstr &, Register, OperandList *) asm("__real_" ANALYZE);
VirtRegInfo wrapAnalyze(MachineInstr &, Register, OperandList *) asm("__wrap_" ANALYZE);
void realDeadDefs(LiveRangeEdit *, SmallVectorImpl<MachineInstr *> &,
                  ArrayRef<Register>) asm("__real_" DEAD_DEFS);
void wrapDeadDefs(LiveRangeEdit *, SmallVectorImpl<MachineInstr *> &,
                  ArrayRef<Register>) asm("__wrap_" DEAD_DEFS);
void realMergeSegments(LiveRange *, const LiveRange &, VNInfo *) asm("__real_" MERGE_SEGMENTS);
void wrapMergeSegments(LiveRange *, const LiveRange &, VNInfo *) asm("__wrap_" MERGE_SEGMENTS);

Spiller *wrapCreateSpiller(const Spiller::RequiredAnalyses &Analyses, MachineFunction &MF, VirtRegMap &VRM,
                           VirtRegAuxInfo &VRAI, LiveRegMatrix *Matrix) {
  if (!LiveLanesFile.empty()) {
    static raw_fd_ostream &OS = outputs().open(LiveLanesFile);
    printLiveLanes(OS, MF, Analyses.LIS, currentAllocation());
  }
  Spiller *LLVMs = realCreateSpiller(Analyses, MF, VRM, VRAI, Matrix);
  return controlsAsked() ? new ControlledSpiller(LLVMs, Analyses, MF, VRM) : LLVMs;
}

VirtRegInfo wrapAnalyze(MachineInstr &MI, Register Reg, OperandList *Operands) {
  const VirtRegInfo Info = realAnalyze(MI, Reg, Operands);
  if (Active)
    Active->visit(MI, Reg, Info);
  return Info;
}

void wrapDeadDefs(LiveRangeEdit *Edit, SmallVectorImpl<MachineInstr *> &Dead, ArrayRef<Register> Spilled) {
  auto Eliminate = [&] { realDeadDefs(Edit, Dead, Spilled); };
  if (Active)
    Active->deadDefs(Eliminate);
  else
    Eliminate();
}

void wrapMergeSegments(LiveRange *Range, const LiveRange &Other, VNInfo *Value) {
  if (Active)
    Active->settleSlot();
  realMergeSegments(Range, Other, Value);
}
