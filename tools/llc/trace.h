// The spiller's decisions and the spill code it writes, as JSON lines.

#ifndef REGTRIAGE_LLC_TRACE_H
#define REGTRIAGE_LLC_TRACE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/Register.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/MC/LaneBitmask.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <string>
#include <vector>

namespace llvm {
class LiveIntervals;
class TargetInstrInfo;
class TargetRegisterInfo;
class VirtRegMap;
} // namespace llvm

namespace regtriage {

/// True if a trace was asked for (--spiller-trace).
bool traceEnabled();

/// What an instruction does to a stack slot.
struct SlotAccess {
  /// "save", "reload", "folded-save", "folded-reload", else "kill", "copy" or "other" without a slot.
  llvm::StringRef What;
  llvm::Register Reg;
  int Slot = -1;
};

/// Renders parts of events for one function.
class EventRenderer {
public:
  EventRenderer(const llvm::MachineFunction &MF, const llvm::LiveIntervals &LIS, const llvm::VirtRegMap &VRM);

  SlotAccess classify(const llvm::MachineInstr &MI) const;

  /// block, index, opcode, text and loc of an instruction. Where it has no debug location, as copies and
  /// spill code have none, loc is that of the instruction that computed the value of Value and loc_of is
  /// "value".
  void instruction(llvm::json::OStream &J, const llvm::MachineInstr &MI, llvm::Register Value) const;

  /// KEY (hexadecimal mask) and KEY_names (sub-register indices of at most 32 bits that make up the mask).
  void lanes(llvm::json::OStream &J, llvm::StringRef Key, llvm::Register Reg, llvm::LaneBitmask Lanes) const;

  /// The register's class, as the attribute class.
  void registerClass(llvm::json::OStream &J, llvm::Register Reg) const;

  /// Where the program computes the first value of the register that has a debug location.
  llvm::DebugLoc definitionLocation(llvm::Register Reg) const;

private:
  /// Where the value that Reg holds at Index was computed; any definition for an invalid Index.
  llvm::DebugLoc findValue(llvm::Register Reg, llvm::SlotIndex Index) const;

  const llvm::MachineFunction &MF;
  const llvm::LiveIntervals &LIS;
  const llvm::VirtRegMap &VRM;
  const llvm::TargetInstrInfo &TII;
  const llvm::TargetRegisterInfo &TRI;
  /// Sub-register indices of at most 32 bits, the widest first.
  llvm::SmallVector<unsigned, 0> LaneIndices;
};

/// Renders the attribute loc: the location, then those it is inlined at, outwards.
void renderLocation(llvm::json::OStream &J, const llvm::DebugLoc &Loc);

/// Renders one object on one line; Body adds its attributes.
std::string renderEvent(llvm::StringRef Event, const llvm::MachineFunction &MF, unsigned Allocation,
                        llvm::function_ref<void(llvm::json::OStream &)> Body);

/// Appends a rendered event to the trace.
void writeEvent(const std::string &Line);

/// A virtual register's number as MIR prints it.
inline int64_t number(llvm::Register Reg) { return Reg.isVirtual() ? int64_t(Reg.virtRegIndex()) : -1; }

/// Collects the instructions that appear in a function and disappear from it while it is the function's
/// delegate. LLVM announces an instruction before it has its operands, and removes it once its operands may
/// have changed, so an event is rendered as late as possible but never after the instruction is gone.
class InstructionLog : public llvm::MachineFunction::Delegate {
public:
  /// Says why an instruction appeared, once it is complete.
  using CauseOfInsertion = std::function<std::string(const SlotAccess &, llvm::Register Context)>;

  InstructionLog(llvm::MachineFunction &MF, const EventRenderer &Renderer, const llvm::LiveIntervals &LIS,
                 unsigned Allocation, llvm::StringRef Phase, int64_t Call, CauseOfInsertion Cause);
  ~InstructionLog() override;

  /// Kept with each insertion that follows and handed to CauseOfInsertion.
  void setContext(llvm::Register Reg) { Context = Reg; }
  /// Whether dead definitions are being deleted.
  void setDeletingDeadDefs(bool On) { DeletingDeadDefs = On; }
  /// Adds a rendered event in its place among the instructions.
  void append(std::string Line) { Events.push_back({nullptr, llvm::Register(), std::move(Line)}); }
  /// Renders what is left and writes every event to the trace.
  void finish();

  unsigned saves() const { return Saves; }
  unsigned reloads() const { return Reloads; }
  unsigned redundantSpills() const { return RedundantSpills; }

private:
  void MF_HandleInsertion(llvm::MachineInstr &MI) override;
  void MF_HandleRemoval(llvm::MachineInstr &MI) override;
  void MF_HandleChangeDesc(llvm::MachineInstr &MI, const llvm::MCInstrDesc &Desc) override;

  struct Event {
    llvm::MachineInstr *Pending;
    llvm::Register Context;
    std::string Line;
  };
  void complete(llvm::MachineInstr &MI);
  void renderInsertion(Event &E);
  std::string renderRemoval(const llvm::MachineInstr &MI, const SlotAccess &Access,
                            llvm::StringRef Cause) const;
  void attributes(llvm::json::OStream &J, const llvm::MachineInstr &MI, const SlotAccess &Access,
                  llvm::StringRef Cause) const;

  llvm::MachineFunction &MF;
  const EventRenderer &Renderer;
  const llvm::LiveIntervals &LIS;
  const unsigned Allocation;
  const llvm::StringRef Phase;
  const int64_t Call;
  CauseOfInsertion Cause;
  llvm::Register Context;
  bool DeletingDeadDefs = false;
  std::vector<Event> Events;
  llvm::DenseMap<const llvm::MachineInstr *, size_t> Pending;
  llvm::DenseSet<const llvm::MachineInstr *> Retired;
  unsigned Saves = 0, Reloads = 0, RedundantSpills = 0;
};

} // namespace regtriage

#endif
