"""A difference as people read it on a terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from regtriage.tools.report import words
from regtriage.tools.report.look import LABEL, NAME, WRONG, Look, columns
from rich.text import Text

from .diff import Change, Difference, Pair

_MOST = 20
_STYLE = {Change.NEW: WRONG, Change.GONE: "green", Change.EXIT: "yellow", Change.OTHER: "magenta"}


def difference_lines(difference: Difference, look: Look) -> Iterator[Text]:
    """The whole of it."""
    d = difference
    yield Text.assemble((d.before, NAME), (" -> ", LABEL), (d.after, NAME))
    for what, was, now in d.compared:
        yield Text.assemble(("  compares ", LABEL), f"{what}: {was or '-'} -> {now or '-'}")
    counts = [f"{change.value} {len(d.of(change))}" for change in Change if d.of(change)]
    code = f" ({d.same_code} with equal code)" if d.same_code else ""
    yield Text(f"  {words.count(d.same + len(d.pairs), 'pair')}{code}: {', '.join([f'the same {d.same}', *counts])}")
    if d.only_before or d.only_after:
        yield Text(f"  without a partner: {d.only_before} before, {d.only_after} after", LABEL)
    for change in Change:
        pairs = d.of(change)
        if pairs:
            yield Text()
            yield Text.assemble((change.value, _STYLE[change]), f": {words.count(len(pairs), 'pair')}")
            yield from _pairs(pairs, change, look)


def _pairs(pairs: Sequence[Pair], change: Change, look: Look) -> Iterator[Text]:
    """A kernel and a change of its own on one line, with the settings under which it is so."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for pair in pairs:
        groups[pair.kernel, _words(pair, change)].append(pair.settings)
    shown = list(groups.items()) if look.verbose else list(groups.items())[:_MOST]
    rows = [
        [Text("  " + kernel), Text(what), Text("; ".join(s or "-" for s in settings) if any(settings) else "", LABEL)]
        for (kernel, what), settings in shown
    ]
    yield from columns(rows)
    if len(groups) > len(shown):
        yield Text(f"  and {len(groups) - len(shown)} more; -v shows them", LABEL)


def _words(pair: Pair, change: Change) -> str:
    if change is Change.EXIT:
        return f"{', '.join(pair.before.exits)} -> {', '.join(pair.after.exits)}"
    exits = (pair.after if change is Change.NEW else pair.before).exits if change is not Change.OTHER else ()
    return f"{pair.before.word} -> {pair.after.word}" + (f" ({', '.join(exits)})" if exits else "")
