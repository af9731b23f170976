"""Through which decision of the allocator a value was lost.

Rule, for a finding whose clobber is a spill store:
  the store ran over the right value         -> the cause that the trace gives for that store;
  the right value never reached the slot and
  the trace shows a redundant store removed  -> redundant-spill;
  otherwise                                  -> the cause of the incomplete store.
A clobber that is no store: a copy -> split, a rematerialised instruction -> remat, a definition that runs
over a live register -> assignment. A stage later than the virtual register rewriter that is the first to be
wrong names the exit by itself: slot-coloring or lane-lowering.
Without a trace the store counts as insert-spill if it ran over the value, and as redundant-spill if the
value never arrived; the finding then says "by shape".
"""

from __future__ import annotations

import dataclasses

from .findings import Exit, ExitBasis, Finding, FindingKind
from .mir.model import Instruction, MachineFunction, Role
from .trace import Event, SpillerTrace, event_location
from .translate import Kind
from .witness import Witness

_CAUSES = {
    "hoist-inside-bb": Exit.HOIST_INSIDE_BB,
    "hoist-cross-bb": Exit.HOIST_CROSS_BB,
    "insert-spill": Exit.INSERT_SPILL,
    "fold": Exit.INSERT_SPILL,
}
_STAGES = {"stack-slot-coloring": Exit.SLOT_COLORING, "si-lower-sgpr-spills": Exit.LANE_LOWERING}


def with_exit(
    finding: Finding,
    witness: Witness,
    allocation: int,
    greedy: MachineFunction | None,
    trace: SpillerTrace | None,
    pass_name: str,
) -> Finding:
    """The finding with its exit named.

    greedy: the function right after the allocator, where stores still name virtual registers. pass_name: the
    pass after which the value was first wrong.
    """
    if pass_name in _STAGES:
        return dataclasses.replace(finding, exit=_STAGES[pass_name], exit_by=ExitBasis.SHAPE)
    store = _store(witness)
    if store is None:
        return dataclasses.replace(finding, exit=_shape(witness), exit_by=ExitBasis.SHAPE)
    overwrote = witness.fault.overwrote
    found = _event(witness, store, allocation, greedy, trace)
    if found is None or trace is None:
        exit_ = Exit.INSERT_SPILL if overwrote else Exit.REDUNDANT_SPILL
        return dataclasses.replace(finding, exit=exit_, exit_by=ExitBasis.SHAPE)
    finding = dataclasses.replace(finding, store=(allocation, store[0], int(found["slot"]), str(found["register"])))
    if not overwrote:
        removed = trace.removed_stores(allocation, int(found["slot"]))
        if removed:
            return dataclasses.replace(
                finding,
                exit=Exit.REDUNDANT_SPILL,
                exit_by=ExitBasis.TRACE,
                decision=_removal(removed[-1], trace),
            )
    exit_ = _CAUSES.get(str(found.get("cause")), Exit.INSERT_SPILL)
    return dataclasses.replace(finding, exit=exit_, exit_by=ExitBasis.TRACE, decision=_insertion(found, trace))


def structural_exit(finding: Finding) -> Finding:
    """Exits of findings that are not about a value."""
    exit_ = Exit.ASSIGNMENT if finding.kind is FindingKind.CONSTRAINT else Exit.SPLIT
    return dataclasses.replace(finding, exit=exit_, exit_by=ExitBasis.SHAPE)


def _store(witness: Witness) -> tuple[int, int] | None:
    """(block, instruction index) of the clobber if it is a spill store."""
    moment = witness.fault.clobber
    if moment is None:
        return None
    record = witness.record
    block, op = record.path[moment.visit], record.op(moment)
    if op.after < 0 or record.program.after.block(block).instructions[op.after].role is not Role.SAVE:
        return None
    return block, op.after


def _shape(witness: Witness) -> Exit:
    moment = witness.fault.clobber
    if moment is None:
        return Exit.SPLIT
    op = witness.record.op(moment)
    if op.kind is Kind.AFTER_EXPRESSION or op.kind is Kind.AFTER_SET:
        return Exit.REMAT
    return Exit.ASSIGNMENT if op.kind is Kind.PAIR else Exit.SPLIT


def _event(
    witness: Witness,
    store: tuple[int, int],
    allocation: int,
    greedy: MachineFunction | None,
    trace: SpillerTrace | None,
) -> Event | None:
    """The trace's insertion of a store: stores keep their order within a block from greedy to the rewriter."""
    if trace is None or greedy is None:
        return None
    block, index = store
    after = witness.record.program.after.block(block)
    ordinal = sum(1 for i in after.instructions[:index] if i.role is Role.SAVE)
    saves = [i for i in greedy.block(block).instructions if i.role is Role.SAVE]
    if ordinal >= len(saves) or len(saves) != sum(1 for i in after.instructions if i.role is Role.SAVE):
        return None
    original = saves[ordinal]
    return trace.store(allocation, block, _slot_number(original), original.uses[0].name)


def _slot_number(save: Instruction) -> int:
    return int(save.slot.split(".")[1])


def _insertion(event: Event, trace: SpillerTrace) -> str:
    call = trace.call(int(event["allocation"]), event.get("call"))
    whole = f"while spilling %{call['main']}" if call else "while spilling"
    how = {
        "hoist-inside-bb": "hoisted to its sibling's definition in the same block",
        "hoist-cross-bb": "hoisted to another block after allocation",
    }.get(str(event.get("cause")), "inserted after its definition")
    return (
        f"{whole}: store of %{event['register']} into %stack.{event['slot']} in bb.{event['block']} {how}{_at(event)}"
    )


def _removal(event: Event, trace: SpillerTrace) -> str:
    text = f"store of %{event['register']} into %stack.{event['slot']} in bb.{event['block']}"
    call = trace.call(int(event["allocation"]), event.get("call"))
    whole = f"while spilling %{call['main']}" if call else "after allocation"
    return f"{whole}: {text} removed as redundant{_at(event)}"


def _at(event: Event) -> str:
    chain = event_location(event)
    return f" (value from {chain[0]})" if chain else ""
