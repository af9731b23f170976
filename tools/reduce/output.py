"""Writes the reduced file as a lit test: RUN line, what is wrong in one paragraph, CHECK lines.

The CHECK lines say what a right allocation does. They are tried in this order, and the first that fails on the broken
allocation and passes on the cured one is taken:
  1. the stores to the slot of the lost value before the one that runs over it, no further store to that slot, the
     reload, the use;
  2. the stores of spill code in the cured allocation, in order, each slot by a name of its own;
  3. the same, and no store after them;
  4. as 2 and 3, with the slots' numbers: a name may stand for the same slot as another one.
Without a cure only the first can be tried, and on the broken allocation only.
"""

from __future__ import annotations

import re
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regtriage.dataflow.findings import Finding, Place
from regtriage.tools.files import replace
from regtriage.tools.llc.run import CompileRequest, StageWhen, Variant

from .model import Setup

_DROPPED = re.compile(r"; |source_filename = |target datalayout = ")
_GROUP = re.compile(r"^attributes (#\d+) = \{(.*)\}$", re.M)
_MOST_ATTRIBUTES = 80
"""Characters of attributes that still fit on the line of a function."""
_PREDECESSORS = re.compile(r"\s+; preds = .*$")
_SAVE = re.compile(r"\b(\w*SPILL\w*_SAVE)\b.*?(%stack\.\d+)")
_RESTORE = re.compile(r"\b(\w*SPILL\w*_RESTORE) (%stack\.\d+)")
_OPCODE = re.compile(r"(?:.* = )?(?:(?:[a-z][\w-]*) )*([A-Z][A-Z0-9_a-z]+)")


@dataclass(frozen=True, slots=True)
class Check:
    """A FileCheck line. suffix: `-LABEL`, `-NOT` or ""."""

    suffix: str
    pattern: str

    def line(self, comment: str) -> str:
        """As written in the test."""
        directive = f"CHECK{self.suffix}:"
        return f"{comment} {directive:<12} {self.pattern}"


def write_test(setup: Setup, text: str, findings: Sequence[Finding], output: Path) -> bool:
    """Write the test. Returns whether its CHECK lines tell the broken allocation from a cured one.

    text: the reduced file. findings: those with the cause. Raises InputError, ToolFailure, OSError.
    """
    comment = "#" if output.suffix == ".mir" else ";"
    code = clean(text)
    finding = findings[0]
    broken, cured = _results(setup, code, output.suffix)
    checks, proved = _choose(setup, finding, broken, cured)
    lines = [f"{comment} RUN: {_command(setup)} | FileCheck %s", ""]
    lines += [f"{comment} {line}" for line in textwrap.wrap(_paragraph(setup, finding), 110)]
    lines += ["", *(check.line(comment) for check in checks), ""]
    replace(output, "\n".join(lines) + "\n" + code.lstrip("\n"))
    return proved


def clean(text: str) -> str:
    """The text without comments, and without what a compiler finds out by itself."""
    lines = [_PREDECESSORS.sub("", line) for line in text.splitlines() if not _DROPPED.match(line.lstrip())]
    return _with_attributes("\n".join(lines).strip("\n") + "\n")


def _with_attributes(text: str) -> str:
    """A short group of attributes that one function alone has, written where it is used."""
    for group in _GROUP.finditer(text):
        number, attributes = group.group(1), group.group(2).strip()
        used = re.findall(rf"{number}\b", text)
        at_function = re.search(rf"^define .* {number} {{$", text, re.M)
        if len(used) == 2 and at_function and len(attributes) <= _MOST_ATTRIBUTES and "align" not in attributes:
            head = at_function.group().replace(f" {number} {{", f" {attributes} {{")
            return text.replace(at_function.group(), head).replace(group.group(), "").rstrip("\n") + "\n"
    return text


def _command(setup: Setup) -> str:
    words = ["llc", f"-mtriple={setup.triple}", f"-mcpu={setup.cpu}", f"-O{setup.opt}", *setup.args]
    return " ".join([*words, setup.stop, "-verify-machineinstrs", "-o -", "%s"])


def _paragraph(setup: Setup, finding: Finding) -> str:
    cause = setup.cause
    text = f"{finding.explanation.rstrip('.')} (exit: {cause.exit}, after {cause.stage.pass_name},{cause.stage.index})."
    if finding.decision:
        text += f" The decision: {finding.decision}."
    for variant in cause.cures:
        text += {
            Variant.GUARD: " Not hoisting that store to its partly defined sibling cures it.",
            Variant.PRIVATE: " A stack slot of its own for the partly defined register cures it.",
        }.get(variant, "")
    return text


def _results(setup: Setup, code: str, suffix: str) -> tuple[str, list[str]]:
    """MIR after the cause's stage: of the compiler as it is, and of each variant that cures it."""
    with tempfile.TemporaryDirectory(prefix="regtriage-reduce-") as name:
        file = Path(name) / f"test{suffix}"
        file.write_text(code)
        texts: list[str] = []
        for variant in (Variant.OFF, *setup.cause.cures):
            args = (*setup.args, setup.stop)
            request = CompileRequest(file, variant, setup.triple, setup.cpu, setup.opt, args)
            compilation = setup.llc.compile(request, Path(name) / str(variant))
            stage = compilation.stage(StageWhen.AFTER, setup.cause.stage.pass_name, setup.cause.stage.index)
            assert stage is not None, "a stage that was there when the candidate was judged"
            texts.append(stage.path.read_text())
        return texts[0], texts[1:]


def _choose(setup: Setup, finding: Finding, broken: str, cured: Sequence[str]) -> tuple[list[Check], bool]:
    label = Check("-LABEL", f"name:{{{{ +}}}}{setup.cause.function}{{{{$}}}}")
    first = [label, *_about_slot(finding, broken)]
    tries = [first, *([label, *checks] for text in cured for checks in _about_stores(text))]
    for checks in tries:
        if cured and len(checks) > 1 and not matches(checks, broken) and all(matches(checks, c) for c in cured):
            return checks, True
    # several variants may be right in different ways: one of them is enough then
    for checks in tries:
        if cured and len(checks) > 1 and not matches(checks, broken) and any(matches(checks, c) for c in cured):
            return checks, True
    return (first if not matches(first, broken) else [label]), False


def _about_slot(finding: Finding, broken: str) -> list[Check]:
    """From the places that the finding names; [] if the wrong value does not come from a store."""
    clobber = finding.clobber and _match(_SAVE, finding.clobber)
    if not clobber or finding.clobber is None:
        return []
    slot = clobber.group(2)
    earlier = [m for line in broken.splitlines()[: finding.clobber.line - 1] if (m := _SAVE.search(line))]
    checks: list[Check] = []
    name = "[[SLOT:%stack.[0-9]+]]"
    for save in (m for m in earlier if m.group(2) == slot):
        checks.append(Check("", f"{save.group(1)} {{{{.*}}}}{name}"))
        name = "[[SLOT]]"
    if not checks:
        return []
    no_more = Check("-NOT", "_SAVE {{.*}}[[SLOT]],")
    checks.append(no_more)
    reload = next((m for c in reversed(finding.carriers) if (m := _match(_RESTORE, c)) and m.group(2) == slot), None)
    if reload:
        # the first reload may come before the bad store
        checks += [Check("", f"{reload.group(1)} [[SLOT]],"), no_more]
    opcode = _OPCODE.match(finding.use.text)
    if opcode:
        checks.append(Check("", opcode.group(1)))
    return checks


def _match(pattern: re.Pattern[str], place: Place) -> re.Match[str] | None:
    return pattern.search(place.text)


def _about_stores(cured: str) -> list[list[Check]]:
    """All stores of spill code in order; and that none comes after them. With names for slots, then with numbers."""
    saves = [save for line in cured.splitlines() if (save := _SAVE.search(line))]
    if not saves:
        return []
    slots = [save.group(2) for save in saves]
    tries: list[list[Check]] = []
    for spelt in (_named(slots), slots):
        checks = [Check("", f"{m.group(1)} {{{{.*}}}}{slot},") for m, slot in zip(saves, spelt, strict=True)]
        tries += [checks, [*checks, Check("-NOT", "_SAVE")]]
    return tries


def _named(slots: Sequence[str]) -> list[str]:
    """Slots by FileCheck's variables: where one comes first it is captured."""
    names: dict[str, str] = {}
    spelt: list[str] = []
    for slot in slots:
        spelt.append(f"[[{names[slot]}]]" if slot in names else f"[[SLOT{len(names)}:%stack.[0-9]+]]")
        names.setdefault(slot, f"SLOT{len(names)}")
    return spelt


# -- what FileCheck does with these lines -------------------------------------------------------------------------


def matches(checks: Sequence[Check], text: str) -> bool:
    """Whether FileCheck would accept a text, for the kinds of lines that are written here."""
    at = 0
    known: dict[str, str] = {}
    forbidden: list[Check] = []
    for check in checks:
        if check.suffix == "-NOT":
            forbidden.append(check)
            continue
        found = re.compile(_regex(check.pattern, known), re.M).search(text, at)
        if found is None or _occurs(forbidden, text[at : found.start()], known):
            return False
        known |= found.groupdict()
        at, forbidden = found.end(), []
    return not _occurs(forbidden, text[at:], known)


def _occurs(forbidden: Sequence[Check], text: str, known: dict[str, str]) -> bool:
    return any(re.search(_regex(c.pattern, known), text, re.M) for c in forbidden)


def _regex(pattern: str, known: dict[str, str]) -> str:
    return "".join(_pieces(pattern, known))


def _pieces(pattern: str, known: dict[str, str]) -> Iterator[str]:
    for part in re.split(r"(\{\{.*?\}\}|\[\[.*?\]\](?!\]))", pattern):
        if part.startswith("{{"):
            yield f"(?:{part[2:-2]})"
        elif part.startswith("[["):
            name, colon, expression = part[2:-2].partition(":")
            yield f"(?P<{name}>{expression})" if colon else re.escape(known.get(name, "\0"))
        else:
            # runs of blanks are equal to FileCheck
            yield r"[ \t]+".join(re.escape(word) for word in re.split(r"[ \t]+", part))
