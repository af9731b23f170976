"""Random kernels that keep many wide tuples of registers alive across branches and loops.

A program is a function of structured code over a *scope*, the values that may be used at a point. What the
allocator finds hard is made often: tuples that are built a word at a time, rewritten in one word around a loop,
used whole by inline assembly; 64-bit values whose halves go different ways; bursts of short values while all that
is alive.

Scalar values stay uniform: nothing scalar is carried out of control flow that depends on the thread.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field

from .dice import Dice
from .shapes import CPUS, Parameters, Shape, draw
from .writer import Bank, Value, Writer, tuple_type

_S, _V = Bank.SCALAR, Bank.VECTOR
_UNUSED_INPUTS = (
    "dispatch-ptr queue-ptr dispatch-id implicitarg-ptr workgroup-id-x workgroup-id-y workgroup-id-z "
    "workitem-id-y workitem-id-z"
).split()
_EARLY = {
    Shape.SGPR: ((_S, 3),),
    Shape.DESCRIPTOR: (),
    Shape.VGPR: ((_V, 12),),
    Shape.WWM: ((_S, 12), (_V, 6)),
}
"""Values made before anything else, which live long: of which bank, and at most how many."""
_SEEN_BY_PART = 8
_OPERATIONS = ("add", "sub", "xor", "mul", "and", "or")


@dataclass(frozen=True, slots=True)
class Program:
    """A generated program: its parameters and the text of its module, which has one kernel `k`."""

    parameters: Parameters
    text: str


def generate(seed: int, shapes: tuple[Shape, ...] = tuple(Shape), cpus: tuple[str, ...] = CPUS) -> Program:
    """The program with that seed, of one of the shapes and for one of the cpus."""
    dice = Dice(seed)
    parameters = draw(seed, dice, shapes, cpus)
    return Program(parameters, _Generator(parameters, dice).run())


def generate_parts(seed: int, parts: int) -> Program:
    """A program of many parts, one after the other, whose size grows with their number as its pressure does not.

    Each part is as a small program with scalar tuples: it begins with some of the arguments and of what was made
    before all parts, and leaves them changed to the next; its other values are used up in it.
    """
    dice = Dice(seed)
    drawn = draw(seed, dice, (Shape.SGPR,), CPUS[:1])
    parameters = dataclasses.replace(drawn, sgprs=80, statements=20, depth=2, widest=8, poison=0.0)
    return Program(parameters, _Generator(parameters, dice).run_parts(parts))


@dataclass(slots=True)
class _Scope:
    """values: what may be used here. bases: 64-bit base addresses of descriptors, each in its latest form."""

    values: list[Value]
    bases: list[Value] = field(default_factory=list[Value])

    def inner(self) -> _Scope:
        """A scope for code that may not be run: it sees everything, and what it adds is not seen outside."""
        return _Scope(list(self.values), list(self.bases))

    def of(self, bank: Bank) -> list[Value]:
        return [v for v in self.values if v.bank is bank]

    def tuples(self, bank: Bank) -> list[Value]:
        return [v for v in self.values if v.bank is bank and v.is_tuple]


class _Generator:
    def __init__(self, parameters: Parameters, dice: Dice) -> None:
        self._p, self._dice, self._w = parameters, dice, Writer()
        self._arguments: list[Value] = []
        self._pointer = Value(_S, "ptr addrspace(1)", "%memory")
        self._config: list[Value] = []
        self._thread = Value(_V, "i32", "%thread")
        self._left = parameters.statements

    def run(self) -> str:
        scope = self._begin()
        self._part(scope)
        return self._end()

    def run_parts(self, parts: int) -> str:
        scope = self._begin()
        for _ in range(parts):
            self._left = self._p.statements
            self._part(self._apart(scope))
        return self._end()

    def _apart(self, scope: _Scope) -> _Scope:
        """A scope with some values of another one, which from here on are others: what inline assembly makes of them.

        Else LLVM sees that two parts compute the same of the same values, and keeps it in a register from one to the
        other: the more parts there are, the more is alive in each.
        """
        seen: list[Value] = []
        for at in self._dice.some(range(len(scope.values)), _SEEN_BY_PART):
            v = scope.values[at]
            made = self._w.make(v.bank, v.type, self._asm("; take $0", f"={v.bank},0", [v], v.type))
            scope.values[at] = made
            seen.append(made)
        return _Scope(seen)

    def _begin(self) -> _Scope:
        """Arguments, and values made before anything else."""
        dice = self._dice
        scope = _Scope([])
        for number in range(dice.between(6, 20)):
            scope.values.append(Value(_S, dice.pick(("i32", "i64", "i64")), f"%a{number}"))
        self._arguments = list(scope.values)
        self._w.do("%thread = call i32 @llvm.amdgcn.workitem.id.x()")
        scope.values.append(self._thread)
        if self._p.shape is Shape.DESCRIPTOR:
            self._prepare_descriptors(scope)
        for bank, most in _EARLY[self._p.shape]:
            for _ in range(dice.between(most // 3, most)):
                dice.pick((self._define_tuple, self._build, self._define_words))(scope, bank)
        return scope

    def _part(self, scope: _Scope) -> None:
        while self._left > 0:
            self._code(scope, self._p.depth)
        self._store_some(scope)

    def _end(self) -> str:
        self._w.do("ret void")
        signature = ", ".join(["ptr addrspace(1) %memory", *map(str, self._arguments)])
        return self._w.text(signature, self._attributes())

    def _attributes(self) -> str:
        p = self._p
        strings = {
            "amdgpu-waves-per-eu": p.waves_per_eu,
            "amdgpu-flat-work-group-size": "1,64",
            "target-cpu": p.cpu,
        }
        if p.sgprs:
            strings["amdgpu-num-sgpr"] = str(p.sgprs)
        if p.vgprs:
            strings["amdgpu-num-vgpr"] = str(p.vgprs)
        if not p.agprs:
            strings["amdgpu-agpr-alloc"] = "0"
        unused = " ".join(f'"amdgpu-no-{name}"' for name in _UNUSED_INPUTS)
        return f"nounwind {unused} " + " ".join(f'"{k}"="{v}"' for k, v in strings.items())

    # -- control flow ------------------------------------------------------------------------------------------

    def _code(self, scope: _Scope, depth: int) -> None:
        """A few statements, then perhaps a branch or a loop."""
        for _ in range(self._dice.between(1, 5)):
            self._statement(scope)
        self._left -= 1
        if depth > 0 and self._left > 0:
            self._dice.weighted(((self._branch, 0.4), (self._loop, 0.4), (_nothing, 0.2)))(scope, depth - 1)

    def _region(self, scope: _Scope, depth: int) -> None:
        for _ in range(self._dice.between(1, 3)):
            self._code(scope, depth)

    def _bank_of_control(self) -> Bank:
        odds = {Shape.SGPR: 0.05, Shape.DESCRIPTOR: 0.1, Shape.VGPR: 0.6, Shape.WWM: 0.4}
        return _V if self._dice.chance(odds[self._p.shape]) else _S

    def _condition(self, scope: _Scope, bank: Bank) -> str:
        predicate = self._dice.pick(("eq", "ne", "ult", "slt", "ugt"))
        value = self._word(scope, bank)
        against = str(self._dice.between(0, 9)) if self._dice.chance(0.6) else self._word(scope, bank).name
        name = self._w.name()
        self._w.do(f"{name} = icmp {predicate} i32 {value.name}, {against}")
        return name

    def _branch(self, scope: _Scope, depth: int) -> None:
        """if, with or without else; some values of either arm go on in phis."""
        w, bank = self._w, self._bank_of_control()
        condition = self._condition(scope, bank)
        then, other, after = w.label(), w.label(), w.label()
        w.do(f"br i1 {condition}, label %{then}, label %{other}")
        w.begin(then)
        inside = scope.inner()
        self._region(inside, depth)
        then_end = w.block
        w.do(f"br label %{after}")
        w.begin(other)
        outside = scope.inner()
        if self._dice.chance(0.4):
            self._region(outside, depth)
        other_end = w.block
        w.do(f"br label %{after}")
        w.begin(after)
        made = inside.values[len(scope.values) :]
        for value in self._dice.some(made, self._dice.between(0, 3)):
            if bank is _V and value.bank is _S:
                continue
            partner = self._dice.pick(
                [v for v in outside.values if (v.bank, v.type) == (value.bank, value.type)] or [value]
            )
            if partner is value:
                continue
            text = f"phi {value.type} [ {value.name}, %{then_end} ], [ {partner.name}, %{other_end} ]"
            scope.values.append(w.make(value.bank, value.type, text))
        if bank is _S:
            self._merge_bases(scope, inside, outside, then_end, other_end)

    def _merge_bases(self, scope: _Scope, inside: _Scope, outside: _Scope, then_end: str, other_end: str) -> None:
        for at, (one, two) in enumerate(zip(inside.bases, outside.bases, strict=True)):
            if one != two:
                text = f"phi i64 [ {one.name}, %{then_end} ], [ {two.name}, %{other_end} ]"
                scope.bases[at] = self._w.make(_S, "i64", text)

    def _loop(self, scope: _Scope, depth: int) -> None:
        """A loop that carries some values; what it carried is seen afterwards."""
        w, dice, bank = self._w, self._dice, self._bank_of_control()
        head, after, entry = w.label(), w.label(), w.block
        carried = [v for v in dice.some(scope.values, dice.between(0, 4)) if bank is _S or v.bank is _V]
        bound = self._word(scope, bank)
        w.do(f"br label %{head}")
        w.begin(head)
        place = w.reserve()
        inside = scope.inner()
        count = Value(bank, "i32", w.name())
        phis = [Value(v.bank, v.type, w.name()) for v in carried]
        keep = dice.chance(0.5)
        if not keep:
            inside.values = [v for v in inside.values if v not in carried]
        inside.values += phis
        base_phis: list[Value] = []
        if bank is _S:
            base_phis = [Value(_S, "i64", w.name()) for _ in scope.bases]
            inside.bases = list(base_phis)
        self._region(inside, depth)
        if bank is _S:
            self._advance_bases(inside)
        following = [self._next_of(phi, inside) for phi in phis]
        step = w.make(bank, "i32", f"add i32 {count.name}, 1")
        condition = w.name()
        w.do(f"{condition} = icmp ult i32 {step.name}, {bound.name}")
        latch = w.block
        w.do(f"br i1 {condition}, label %{head}, label %{after}")
        lines = [f"{count.name} = phi i32 [ 0, %{entry} ], [ {step.name}, %{latch} ]"]
        for phi, first, later in (
            *zip(phis, carried, following, strict=True),
            *zip(base_phis, scope.bases, inside.bases, strict=False),
        ):
            lines.append(f"{phi.name} = phi {phi.type} [ {first.name}, %{entry} ], [ {later.name}, %{latch} ]")
        w.fill(place, lines)
        w.begin(after)
        scope.values += [v for v in (phis if dice.chance(0.5) else following) if v not in scope.values]
        if base_phis:
            scope.bases = list(inside.bases)

    def _next_of(self, phi: Value, inside: _Scope) -> Value:
        """The value that a phi takes next: most often a tuple with one word changed, or any value of the type."""
        if phi.is_tuple and self._dice.chance(0.6):
            return self._insert_into(phi, inside)
        return self._dice.pick([v for v in inside.values if (v.bank, v.type) == (phi.bank, phi.type)])

    # -- values ------------------------------------------------------------------------------------------------

    def _word(self, scope: _Scope, bank: Bank) -> Value:
        """A 32-bit value: one of the scope, or a part of one."""
        value = self._dice.pick(scope.of(bank) or scope.of(_S))
        w = self._w
        if value.type == "i32":
            return value
        if value.is_tuple:
            at = self._dice.between(0, value.words - 1)
            return w.make(value.bank, "i32", f"extractelement {value}, i32 {at}")
        return self._half(value, high=self._dice.chance(0.5))

    def _half(self, value: Value, *, high: bool) -> Value:
        w = self._w
        if high:
            value = w.make(value.bank, "i64", f"lshr {value}, 32")
        return w.make(value.bank, "i32", f"trunc {value} to i32")

    def _pair(self, scope: _Scope, bank: Bank) -> Value:
        """A 64-bit value."""
        pairs = [v for v in scope.of(bank) if v.type == "i64"]
        if pairs:
            return self._dice.pick(pairs)
        word = self._word(scope, bank)
        return self._w.make(word.bank, "i64", f"zext {word} to i64")

    def _width(self) -> int:
        return self._dice.pick([n for n in (2, 4, 4, 8, 16) if n <= self._p.widest])

    def _some_tuple(self, scope: _Scope, bank: Bank) -> Value:
        tuples = scope.tuples(bank)
        if tuples:
            return self._dice.pick(tuples)
        self._build(scope, bank)
        return scope.values[-1]

    def _insert_into(self, value: Value, scope: _Scope) -> Value:
        word = self._word(scope, value.bank)
        at = self._dice.between(0, value.words - 1)
        return self._w.make(value.bank, value.type, f"insertelement {value}, {word}, i32 {at}")

    def _asm(self, template: str, constraints: str, operands: list[Value], kind: str = "void") -> str:
        arguments = ", ".join(map(str, operands))
        return f'call {kind} asm sideeffect "{template}", "{constraints}"({arguments})'

    # -- statements --------------------------------------------------------------------------------------------

    def _statement(self, scope: _Scope) -> None:
        shape = self._p.shape
        odds = {Shape.SGPR: 0.03, Shape.DESCRIPTOR: 0.15, Shape.VGPR: 0.85, Shape.WWM: 0.4}
        bank = _V if self._dice.chance(odds[shape]) else _S
        choices: list[tuple[Callable[[_Scope, Bank], None], float]] = [
            (self._use, 5), (self._use_tuple, 3), (self._build, 3), (self._insert, 2), (self._extract, 1),
            (self._compute, 3), (self._define_words, 3), (self._define_tuple, 3), (self._rework_tuple, 1),
            (self._memory, 1 if bank is _S else 4), (self._to_scalar, 0.5 if bank is _V else 0),
        ]  # fmt: skip
        if shape is Shape.DESCRIPTOR:
            choices.append((self._access, 12))
        elif shape is Shape.WWM:
            choices += [(self._whole_wave, 2), (self._clobber, 3)]
        else:
            choices.append((self._clobber, 0.3))
        self._dice.weighted(choices)(scope, bank)

    def _use(self, scope: _Scope, bank: Bank) -> None:
        """Inline assembly that reads one or a few values."""
        operands = [
            self._pair(scope, bank) if self._dice.chance(0.4) else self._word(scope, bank)
            for _ in range(self._dice.pick((1, 1, 1, 2, 3)))
        ]
        self._w.do(self._asm("; use " + _places(len(operands)), ",".join(v.bank for v in operands), operands))

    def _use_tuple(self, scope: _Scope, bank: Bank) -> None:
        value = self._some_tuple(scope, bank)
        self._w.do(self._asm("; use $0", value.bank, [value]))

    def _build(self, scope: _Scope, bank: Bank) -> None:
        """A tuple of words from all over: halves of one 64-bit value first, constants, words left undefined."""
        w, dice, width = self._w, self._dice, self._width()
        words: list[str | None] = []
        for _ in range(width):
            if dice.chance(self._p.poison):
                words.append(None)
            elif dice.chance(0.2):
                words.append(str(dice.between(0, 1 << 20)))
            else:
                words.append(self._word(scope, bank).name)
        if dice.chance(0.5):
            pair = self._pair(scope, bank)
            words[:2] = [self._half(pair, high=False).name, self._half(pair, high=True).name]
        name = "poison"
        for at, word in enumerate(words):
            if word is not None:
                name = w.make(
                    bank, tuple_type(width), f"insertelement {tuple_type(width)} {name}, i32 {word}, i32 {at}"
                ).name
        if name == "poison":
            name = w.make(bank, tuple_type(width), self._asm("; def $0", f"={bank}", [], tuple_type(width))).name
        scope.values.append(Value(bank, tuple_type(width), name))

    def _insert(self, scope: _Scope, bank: Bank) -> None:
        scope.values.append(self._insert_into(self._some_tuple(scope, bank), scope))

    def _extract(self, scope: _Scope, bank: Bank) -> None:
        value = self._some_tuple(scope, bank)
        at = self._dice.between(0, value.words - 1)
        scope.values.append(self._w.make(bank, "i32", f"extractelement {value}, i32 {at}"))

    def _compute(self, scope: _Scope, bank: Bank) -> None:
        operation = self._dice.pick(_OPERATIONS)
        if self._dice.chance(0.3):
            a, b = self._pair(scope, bank), self._pair(scope, bank)
        else:
            a, b = self._word(scope, bank), self._word(scope, bank)
        result = _V if _V in (a.bank, b.bank) else _S
        scope.values.append(self._w.make(result, a.type, f"{operation} {a}, {b.name}"))

    def _define_words(self, scope: _Scope, bank: Bank) -> None:
        """A burst of short values, most of which die at once."""
        w, dice = self._w, self._dice
        most = 20 if bank is _S else min(16, (self._p.vgprs or 32) // 2)
        count = dice.between(2, most)
        kind = f"{{ {', '.join(['i32'] * count)} }}"
        name = w.name()
        w.do(f"{name} = {self._asm('; def', ','.join([f'={bank}'] * count), [], kind)}")
        for at in dice.some(range(count), dice.between(1, 3)):
            value = w.make(bank, "i32", f"extractvalue {kind} {name}, {at}")
            if dice.chance(0.4):
                scope.values.append(value)
            else:
                w.do(self._asm("; use $0", bank, [value]))

    def _clobber(self, scope: _Scope, bank: Bank) -> None:
        """Inline assembly that overwrites a range of registers, perhaps all: what is alive must go elsewhere."""
        # some must be left over: whole-wave registers do not move, the last scalars are LLVM's own
        top = (self._p.vgprs or 32) - 6 if bank is _V else self._p.sgprs - 8
        first = 0 if self._dice.chance(0.5) else self._dice.between(0, top - 1)
        last = top - 1 if self._dice.chance(0.5) else self._dice.between(first, top - 1)
        registers = ",".join(f"~{{{bank}{n}}}" for n in range(first, last + 1))
        self._w.do(self._asm("; clobber", registers, []))

    def _define_tuple(self, scope: _Scope, bank: Bank) -> None:
        kind = tuple_type(self._width())
        scope.values.append(self._w.make(bank, kind, self._asm("; def $0", f"={bank}", [], kind)))

    def _rework_tuple(self, scope: _Scope, bank: Bank) -> None:
        """Inline assembly from a tuple to a tuple: in place, or into registers that it must not share."""
        value = self._some_tuple(scope, bank)
        constraints = f"={value.bank},0" if self._dice.chance(0.5) else f"=&{value.bank},{value.bank}"
        text = self._asm("; change $0 $1", constraints, [value], value.type)
        scope.values.append(self._w.make(value.bank, value.type, text))

    def _address(self, scope: _Scope, bank: Bank) -> str:
        w = self._w
        at = w.make(bank, "i32", f"and i32 {self._word(scope, bank).name}, 4095")
        name = w.name()
        w.do(f"{name} = getelementptr i32, ptr addrspace(1) %memory, i32 {at.name}")
        return name

    def _memory(self, scope: _Scope, bank: Bank) -> None:
        """A load of a word or a tuple, or a store."""
        w, dice = self._w, self._dice
        if bank is _S or dice.chance(0.6):
            kind = dice.pick(("i32", "i32", tuple_type(min(4, self._width()))))
            address = self._address(scope, bank)
            marks = ", !invariant.load !{}" if bank is _S else ""
            space = "ptr addrspace(1)"
            if bank is _S:
                constant = w.name()
                w.do(f"{constant} = addrspacecast ptr addrspace(1) {address} to ptr addrspace(4)")
                address, space = constant, "ptr addrspace(4)"
            scope.values.append(w.make(bank, kind, f"load {kind}, {space} {address}, align 4{marks}"))
        else:
            value = self._some_tuple(scope, bank) if dice.chance(0.5) else self._word(scope, bank)
            w.do(f"store {value}, ptr addrspace(1) {self._address(scope, bank)}, align 4")

    def _to_scalar(self, scope: _Scope, bank: Bank) -> None:
        """The first lane's word, as a scalar."""
        word = self._word(scope, bank)
        scope.values.append(self._w.call(_S, "i32", "llvm.amdgcn.readfirstlane.i32", [str(word)]))

    def _whole_wave(self, scope: _Scope, bank: Bank) -> None:
        """A step of a reduction: lanes that are off take part with a neutral word."""
        w = self._w
        filled = w.call(_V, "i32", "llvm.amdgcn.set.inactive.i32", [str(self._word(scope, _V)), "i32 0"])
        for _ in range(self._dice.between(1, 3)):
            control = self._dice.pick((273, 274, 276, 280))
            arguments = ["i32 0", str(filled), f"i32 {control}", "i32 15", "i32 15", "i1 false"]
            moved = w.call(_V, "i32", "llvm.amdgcn.update.dpp.i32", arguments)
            filled = w.make(_V, "i32", f"add i32 {filled.name}, {moved.name}")
        scope.values.append(w.call(_V, "i32", "llvm.amdgcn.strict.wwm.i32", [str(filled)]))

    def _store_some(self, scope: _Scope) -> None:
        for value in self._dice.some(scope.values, self._dice.between(4, 12)):
            self._w.do(self._asm("; use $0", value.bank, [value]))

    # -- descriptors -------------------------------------------------------------------------------------------

    def _prepare_descriptors(self, scope: _Scope) -> None:
        pairs = [v for v in scope.values if v.type == "i64"]
        while len(pairs) < 3:
            pairs.append(self._pair(scope, _S))
        scope.bases = self._dice.some(pairs, self._dice.between(2, 5))
        flags = Value(_S, "i32", str(self._dice.pick((159744, 822243328, 0x27000))))
        self._config = [self._word(scope, _S), self._word(scope, _S) if self._dice.chance(0.3) else flags]

    def _advance_bases(self, scope: _Scope) -> None:
        for at, base in enumerate(scope.bases):
            if self._dice.chance(0.7):
                stride = self._pair(scope, _S)
                scope.bases[at] = self._w.make(_S, "i64", f"add i64 {base.name}, {stride.name}")

    def _access(self, scope: _Scope, bank: Bank) -> None:
        """A load or a store through a descriptor made of a base of the moment and the shared config words."""
        w, dice = self._w, self._dice
        base = dice.pick(scope.bases)
        kind, name = tuple_type(4), "poison"
        words = [self._half(base, high=False), self._half(base, high=True), *self._config]
        for at, word in enumerate(words):
            name = w.make(_S, kind, f"insertelement {kind} {name}, {word}, i32 {at}").name
        descriptor = Value(_S, kind, name)
        offset = self._word(scope, _V)
        rest = [str(descriptor), str(offset), "i32 0", "i32 0"]
        if dice.chance(0.6):
            got = w.call(_V, "i32", "llvm.amdgcn.raw.buffer.load.i32", rest)
            w.do(self._asm("; use $0", _V, [got]))
        elif dice.chance(0.5):
            value = w.make(_V, "i32", f"xor i32 {self._thread.name}, {self._word(scope, _V).name}")
            text = "call void @llvm.amdgcn.raw.buffer.store.i32"
            w.declare("void", "llvm.amdgcn.raw.buffer.store.i32", [str(value), *rest])
            w.do(f"{text}({', '.join([str(value), *rest])})")
        else:
            scope.values.append(descriptor)
            at = str(self._word(scope, _S))
            arguments = [str(descriptor), at, "i32 0"]
            scope.values.append(w.call(_S, "i32", "llvm.amdgcn.s.buffer.load.i32", arguments))


def _places(count: int) -> str:
    return " ".join(f"${k}" for k in range(count))


def _nothing(scope: _Scope, depth: int) -> None:
    pass
