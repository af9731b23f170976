"""The second method: execute a function before and after allocation on the same random inputs.

It shares nothing with the check but the reader and the target's tables, so that each can contradict the other.

What is computed
  Every lane (half a lane where a function names halves) holds a word, an int. Copies, spills, reloads, lane
  saves and restores, moves of constants, selects and bitwise operations are computed. Every other operation is
  a function that nobody knows: its results are a keyed hash of opcode, immediates and operands. Loads hash
  their address and how many effects came before, loads from memory that never changes only address and offset
  (a narrower one loads the same); what inline asm, calls and atomics define is new every time.
What is compared
  What reaches the outside, in order: operands of stores, loads, inline asm, calls, barriers, branches and
  returns, and writes of EXEC, M0 and MODE. Loads may be missing after allocation. The function before goes
  first; the one after takes the same way at every branch.
Undefined lanes
  Before allocation a lane that was never defined is poison: what is computed of it is poison, and poison
  matches anything. After allocation it holds something arbitrary. IMPLICIT_DEF, `undef` operands and what the
  compiler knew (`LaneLiveness`) undefine lanes before allocation; afterwards they do so for virtual registers
  only, since a physical one goes on holding what it held.
EXEC
  One thread of the wave, chosen by the seed, is followed: vector registers hold its part. EXEC is computed, and
  while the thread's bit is 0 it neither writes vector registers nor shows its operands, while copies and
  spills of the whole wave (WWM) still move its part. In a lane mask made while it is off its bit is 0 and the
  rest is not known; a value read from another thread is then the same on both sides. If the bit becomes
  undefined, the run ends. A vector register that serves as spill memory, or is copied or spilled while it does,
  holds a word for each thread, and a copy under EXEC moves those of the threads that are on. A thread that is
  off keeps what it has, and relies on it until it is on again while the register is dead (see `deaths`).
Other constraints
  A use tied to a physical definition is read from that register. A use that an early-clobber definition
  overlaps in part is lost. Calls leave undefined what their register mask does not preserve; a mask that is not
  known preserves everything. Register classes and alignment are the machine verifier's business.
What it shows
  A run that differs: some interpretation of the opcodes, and some path, on which the allocation changed what
  the function does. Runs that agree show nothing about paths they did not take. Decisions at branches are
  explored, not evaluated (see `explore`), since an allocation has to be right on every path.
"""

from __future__ import annotations

from .comparison import Comparison, Limits, Recording, compare
from .match import Difference, Event

__all__ = ["Comparison", "Difference", "Event", "Limits", "Recording", "compare"]
