#include "live_lanes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

/// The live lanes of one register at the borders of every block, filled by walking the segments of its
/// ranges, so that the work is proportional to the blocks it lives in.
class BorderLanes {
public:
  BorderLanes(const MachineFunction &MF, const LiveIntervals &LIS)
      : LIS(LIS), In(MF.getNumBlockIDs()), Out(MF.getNumBlockIDs()) {}

  void compute(const LiveInterval &Interval, LaneBitmask ClassLanes) {
    for (unsigned Block : Touched)
      In[Block] = Out[Block] = LaneBitmask::getNone();
    Touched.clear();
    if (!Interval.hasSubRanges()) {
      addRange(Interval, ClassLanes);
    } else {
      for (const LiveInterval::SubRange &Range : Interval.subranges())
        addRange(Range, Range.LaneMask);
    }
    llvm::sort(Touched);
    Touched.erase(llvm::unique(Touched), Touched.end());
  }

  /// Numbers of the blocks with a lane live in or out, ascending.
  ArrayRef<unsigned> blocks() const { return Touched; }
  LaneBitmask in(unsigned Block) const { return In[Block]; }
  LaneBitmask out(unsigned Block) const { return Out[Block]; }

private:
  void addRange(const LiveRange &Range, LaneBitmask Lanes) {
    for (const LiveRange::Segment &Segment : Range) {
      const MachineBasicBlock *Block = LIS.getMBBFromIndex(Segment.start);
      // A value that a PHI defines starts at the block's first index and is live in there.
      if (LIS.getMBBStartIdx(Block) == Segment.start)
        add(In, *Block, Lanes);
      MachineFunction::const_iterator Next(Block);
      const MachineFunction::const_iterator End = Block->getParent()->end();
      while (LIS.getMBBEndIdx(&*Next) <= Segment.end) {
        add(Out, *Next, Lanes);
        if (++Next == End || LIS.getMBBStartIdx(&*Next) >= Segment.end)
          break;
        add(In, *Next, Lanes);
      }
    }
  }

  void add(std::vector<LaneBitmask> &Border, const MachineBasicBlock &Block, LaneBitmask Lanes) {
    Border[Block.getNumber()] |= Lanes;
    Touched.push_back(Block.getNumber());
  }

  const LiveIntervals &LIS;
  std::vector<LaneBitmask> In, Out;
  SmallVector<unsigned, 32> Touched;
};

/// The lanes of each register that MI reads and no value reaches, of those that have a range at all.
SmallMapVector<unsigned, LaneBitmask, 4> undefinedReads(const MachineInstr &MI, const LiveIntervals &LIS) {
  const MachineRegisterInfo &MRI = MI.getMF()->getRegInfo();
  const TargetRegisterInfo &TRI = *MRI.getTargetRegisterInfo();
  SmallMapVector<unsigned, LaneBitmask, 4> Undefined;
  for (const MachineOperand &MO : MI.operands()) {
    if (!MO.isReg() || !MO.isUse() || !MO.readsReg() || MO.isInternalRead() || !MO.getReg().isVirtual())
      continue;
    const LiveInterval &Interval = LIS.getInterval(MO.getReg());
    const LaneBitmask Read =
        MO.getSubReg() ? TRI.getSubRegIndexLaneMask(MO.getSubReg()) : MRI.getMaxLaneMaskForVReg(MO.getReg());
    LaneBitmask Missing;
    for (const LiveInterval::SubRange &Range : Interval.subranges())
      if ((Range.LaneMask & Read).any() && !Range.Query(LIS.getInstructionIndex(MI)).valueIn())
        Missing |= Range.LaneMask & Read;
    if (Missing.any())
      Undefined[MO.getReg().virtRegIndex()] |= Missing;
  }
  return Undefined;
}

void printUndefinedReads(raw_ostream &OS, const MachineFunction &MF, const LiveIntervals &LIS) {
  for (const MachineBasicBlock &MBB : MF) {
    unsigned Position = 0;
    for (const MachineInstr &MI : MBB.instrs()) {
      if (!MI.isDebugInstr())
        for (const auto &[Register, Lanes] : undefinedReads(MI, LIS))
          OS << "read " << MBB.getNumber() << ' ' << Position << ' ' << Register << ' '
             << format_hex_no_prefix(Lanes.getAsInteger(), 1) << '\n';
      ++Position;
    }
  }
}

} // namespace

void regtriage::printLiveLanes(raw_ostream &OS, const MachineFunction &MF, const LiveIntervals &LIS,
                               unsigned Allocation) {
  OS << "function " << MF.getName() << ' ' << Allocation << '\n';
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  BorderLanes Borders(MF, LIS);
  for (unsigned Index = 0, E = MRI.getNumVirtRegs(); Index != E; ++Index) {
    const Register Reg = Register::index2VirtReg(Index);
    if (!LIS.hasInterval(Reg))
      continue;
    const LaneBitmask ClassLanes = MRI.getMaxLaneMaskForVReg(Reg);
    Borders.compute(LIS.getInterval(Reg), ClassLanes);
    for (unsigned Number : Borders.blocks()) {
      const LaneBitmask In = Borders.in(Number);
      if (In.none())
        continue;
      if (In != ClassLanes)
        OS << "in " << Number << ' ' << Index << ' ' << format_hex_no_prefix(In.getAsInteger(), 1) << '\n';
      for (const MachineBasicBlock *Pred : MF.getBlockNumbered(Number)->predecessors()) {
        const LaneBitmask Missing = In & ~Borders.out(Pred->getNumber());
        if (Missing.any())
          OS << "edge " << Pred->getNumber() << ' ' << Number << ' ' << Index << ' '
             << format_hex_no_prefix(Missing.getAsInteger(), 1) << '\n';
      }
    }
  }
  printUndefinedReads(OS, MF, LIS);
}
