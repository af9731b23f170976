"""Imports modules of Triton kernels, describes them, compiles them to LLVM IR. Run by a Python that has Triton.

usage: worker.py ROOT ARCH

ROOT is the folder that imports start from. One JSON object a line on stdin is a request, one on stdout its answer; the
first answer comes unasked and names the Triton.

  {"import": MODULE}  the module's kernels and why there are not more of them
  {"module", "kernel", "signature", "constants", "derive", "attributes", "options"}
                      {"llir", "constants"}, or {"error"}, the last line of what Triton said

Needs no GPU and no torch. What cannot be imported is a stand-in that takes any attribute, call or base class; a
package or module below ROOT whose body fails keeps what it has defined until then. The code generator is not run:
compilation ends with LLVM IR.
"""

# ruff: noqa: D102, D103
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
import abc
import contextlib
import ctypes
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import json
import os
import signal
import sys
import types
from pathlib import Path

sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != Path(__file__).resolve().parent]

LATER_STAGES = ("amdgcn", "hsaco")
SIZE_OF_UNKNOWN = 1024
"""What an integer argument is taken to be where a heuristic asks for it."""


class StandIn:
    """Anything that is absent."""

    def __init__(self, name):
        self._stand_in_name = name

    def __repr__(self):
        return self._stand_in_name

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return stand_in(f"{self._stand_in_name}.{name}")

    def __call__(self, *arguments, **_keywords):
        return called(self._stand_in_name, arguments)

    def __deepcopy__(self, _memo):
        return self

    def __mro_entries__(self, _bases):
        return (StandInBase,)

    def __instancecheck__(self, _instance):
        return False

    def __subclasscheck__(self, _class):
        return False

    def __bool__(self):
        return False

    def __index__(self):
        return 1

    def __float__(self):
        return 1.0

    __int__ = __index__

    def __len__(self):
        return 0

    def __iter__(self):
        return iter(())

    def __enter__(self):
        return self

    def __exit__(self, *_reason):
        return False

    def __or__(self, _other):
        return self

    def __getitem__(self, _key):
        return self

    def __setitem__(self, _key, _value):
        pass

    __ror__ = __and__ = __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __truediv__ = __floordiv__ = __or__
    __neg__ = __enter__

    # versions are compared: what is absent is taken to be new
    def __ge__(self, _other):
        return True

    def __le__(self, _other):
        return False

    __gt__, __lt__ = __ge__, __le__


class StandInType(abc.ABCMeta):
    """Of classes that are absent, and of those derived from them."""

    def __getattr__(cls, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return stand_in(f"{cls.__name__}.{name}")

    def __call__(cls, *arguments, **keywords):
        if "absent" in vars(cls):
            return called(cls.__name__, arguments)
        return super().__call__(*arguments, **keywords)


class StandInBase(metaclass=StandInType):
    """The base of a class whose base is absent."""

    def __init_subclass__(cls, **_keywords):
        pass

    def __class_getitem__(cls, _key):
        return cls


def stand_in(name):
    """For the absent thing of that name: a class if it is named like one. Triton accepts classes in annotations."""
    last = name.rpartition(".")[2]
    if last[:1].isupper() and not last.isupper():
        return StandInType(last, (StandInBase,), {"absent": True})
    return StandIn(name)


def called(name, arguments):
    """What a call of an absent thing gives. With nothing but a function it decorates that."""
    if len(arguments) == 1 and isinstance(arguments[0], (types.FunctionType, type)):
        return arguments[0]
    return StandIn(f"{name}()")


class AbsentFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last: stands in for what nobody else finds, but not for a part of a package that is installed."""

    def __init__(self, owned):
        self.owned = owned
        self.absent = set()

    def find_spec(self, name, path=None, target=None):
        del path, target
        parent, _, _ = name.rpartition(".")
        if name.startswith("_") or (parent and parent not in self.absent and name.partition(".")[0] not in self.owned):
            return None
        self.absent.add(name)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module):
        name = module.__name__

        def absent(part):
            if part.startswith("__") and part.endswith("__"):
                raise AttributeError(part)
            return stand_in(f"{name}.{part}")

        # no class of its own: Triton asks whether the type is that of modules, not whether it is derived from it
        vars(module).update(__getattr__=absent, __version__="999.0.0")


class OwnFinder(importlib.abc.MetaPathFinder):
    """Finds what lies below ROOT, and lets no failing body end the import. failures: message by module."""

    def __init__(self, owned):
        self.owned = owned
        self.failures = {}

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in self.owned:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Tolerant(spec.loader, self.failures)
        return spec


class Tolerant(importlib.abc.Loader):
    """Runs a module's body as far as it goes."""

    def __init__(self, loader, failures):
        self.loader = loader
        self.failures = failures

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        try:
            self.loader.exec_module(module)
        except Exception as error:
            self.failures[module.__name__] = last_line(error)
            vars(module)["__getattr__"] = lambda name: missing_part(module, name)


def missing_part(module, name):
    """What a module that stopped half-way does not have."""
    if name.startswith("__"):
        raise AttributeError(name)
    full = f"{module.__name__}.{name}"
    if hasattr(module, "__path__") and importlib.machinery.PathFinder.find_spec(full, module.__path__):
        return importlib.import_module(full)
    return stand_in(full)


def last_line(error):
    """The last line of an error that says something, after its kind."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if lines and lines[-1] == "^" and error.__cause__ is not None:
        return last_line(error.__cause__)  # Triton's error shows the place only, its cause says what
    return f"{type(error).__name__}: {lines[-1]}" if lines else type(error).__name__


class NoDevice:
    """A driver of Triton's for a machine without the GPU: it knows the target, and nothing runs."""

    def __init__(self, target):
        self.target = target

    def get_current_target(self):
        return self.target

    def get_current_device(self):
        return 0

    def get_active_torch_device(self):
        return StandIn("device")

    def __getattr__(self, name):
        return StandIn(f"driver.{name}")


class Modules:
    """The modules of Triton that are used, whatever its version."""

    def __init__(self, arch):
        import triton
        import triton.compiler
        import triton.language
        from triton.backends.compiler import GPUTarget
        from triton.runtime.driver import driver
        from triton.runtime.jit import JITFunction

        self.triton = triton
        self.language = triton.language
        self.source = triton.compiler.ASTSource
        self.jit = JITFunction
        self.target = GPUTarget("hip", arch, 64 if arch.startswith("gfx9") else 32)
        driver.set_active(NoDevice(self.target))

    def compile(self, source, options):
        """The LLVM IR. The stages behind it are left empty."""
        backend = self.triton.compiler.make_backend(self.target)
        complete = type(backend).add_stages

        def add_stages(this, stages, *arguments):
            complete(this, stages, *arguments)
            for stage in LATER_STAGES:
                stages[stage] = lambda _module, metadata: metadata.setdefault("name", source.name)[:0]
            stages["hsaco"] = lambda _module, _metadata: b""

        type(backend).add_stages = add_stages
        try:
            return self.triton.compile(source, target=self.target, options=options).asm["llir"]
        finally:
            type(backend).add_stages = complete


def unwrapped(value, jit):
    """A kernel below its decorators: function, configurations of autotuning, heuristics by constant."""
    configurations, heuristics = [], {}
    for _ in range(8):
        if isinstance(value, jit):
            return value, configurations, heuristics
        if isinstance(value, (StandIn, types.ModuleType, type)) or not hasattr(value, "fn"):
            return None
        configurations += [
            {"constants": dict(c.kwargs), "num_warps": c.num_warps, "num_stages": c.num_stages}
            for c in getattr(value, "configs", None) or []
            if hasattr(c, "kwargs")
        ]
        values = getattr(value, "values", None)
        heuristics.update(values if isinstance(values, dict) else {})
        value = value.fn
    return None


def identity(function):
    return f"{function.fn.__module__}:{function.fn.__qualname__}"


def described(function, jit, seen):
    """Add the function, and what it calls, to `seen`."""
    key = identity(function)
    if key in seen:
        return
    seen[key] = entry = {"source": inspect.getsource(function.fn), "parameters": [], "calls": {}}
    entry["line"] = function.fn.__code__.co_firstlineno
    for parameter in function.params:
        default = parameter.default
        entry["parameters"].append(
            {
                "name": parameter.name,
                "constexpr": bool(parameter.is_constexpr),
                "annotation": str(parameter.annotation or ""),
                "has_default": default is not inspect.Parameter.empty,
                "default": plain(default),
            }
        )
    names = set(function.fn.__code__.co_names)
    for name in sorted(names):
        found = unwrapped(function.fn.__globals__.get(name), jit)
        if found:
            entry["calls"][name] = identity(found[0])
            described(found[0], jit, seen)


def plain(value):
    """A value as JSON can hold it; None where it cannot."""
    value = getattr(value, "value", value)  # of a tl.constexpr
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if type(value).__name__ == "dtype":
        return f"tl.{DTYPES.get(str(value), value)}"
    return None


DTYPES = {
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "fp64": "float64",
    "fp8e4nv": "float8e4nv",
    "fp8e5": "float8e5",
}


def describe(module, jit):
    kernels, functions = {}, {}
    for name, value in sorted(vars(module).items()):
        found = unwrapped(value, jit)
        if not found or found[0].fn.__module__ != module.__name__:
            continue
        function, configurations, heuristics = found
        described(function, jit, functions)
        kernels[name] = {
            "function": identity(function),
            "configurations": [
                {**c, "constants": {k: plain(v) for k, v in c["constants"].items()}} for c in configurations
            ],
            "heuristics": sorted(heuristics),
        }
    return kernels, functions


def constant(value, module, language):
    """A constant from JSON: `tl.NAME` is a member of triton.language, `@NAME` a function of the module."""
    if isinstance(value, list):
        return tuple(constant(part, module, language) for part in value)
    if isinstance(value, str) and value.startswith("tl."):
        return getattr(language, value[3:])
    if isinstance(value, str) and value.startswith("@"):
        return getattr(module, value[1:])
    return value


def answer(request, module, modules):
    found = unwrapped(getattr(module, request["kernel"]), modules.jit)
    assert found is not None  # it was described
    function, _, heuristics = found
    names = list(function.arg_names)
    constants = {
        name: constant(value, module, modules.language) for name, value in request["constants"].items() if name in names
    }
    known = {**{name: stand_for(kind) for name, kind in request["signature"].items()}, **constants}
    for name in request.get("derive", ()):
        try:
            value = heuristics[name](known)
        except Exception:  # the guess stays
            continue
        if isinstance(value, (bool, int, float, str)):
            constants[name] = known[name] = value
    signature = {name: "constexpr" if name in constants else request["signature"][name] for name in names}
    source = modules.source(
        fn=function,
        signature=signature,
        constexprs={(names.index(name),): value for name, value in constants.items()},
        attrs={
            (names.index(name),): [list(pair) for pair in pairs]
            for name, pairs in request["attributes"].items()
            if signature[name] != "constexpr"
        },
    )
    return {
        "llir": modules.compile(source, request["options"]),
        "constants": {
            name: request["constants"].get(name) if name not in request.get("derive", ()) else plain(value)
            for name, value in constants.items()
        },
    }


def stand_for(kind):
    return StandIn("tensor") if kind.startswith("*") else 1.0 if kind.startswith("fp") else SIZE_OF_UNKNOWN


def described_module(name, own, modules):
    own.owned.add(name.partition(".")[0])
    try:
        kernels, functions = describe(importlib.import_module(name), modules.jit)
    except Exception as error:
        return {"kernels": {}, "functions": {}, "error": last_line(error)}
    return {"kernels": kernels, "functions": functions, "error": own.failures.get(name)}


def end_with_parent():
    """Ask the kernel for SIGKILL when the parent is gone: a compilation would go on for long."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def main(root, arch):
    end_with_parent()
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a module prints is no answer
    try:
        modules = Modules(arch)
    except ImportError as error:
        print(json.dumps({"no_triton": last_line(error)}), file=channel, flush=True)
        return
    owned = set()
    own = OwnFinder(owned)
    sys.path.insert(0, root)
    sys.meta_path.insert(0, own)
    sys.meta_path.append(AbsentFinder(owned))
    first = {"triton": modules.triton.__version__, "package": str(Path(str(modules.triton.__file__)).parent)}
    print(json.dumps(first), file=channel, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "import" in request:
                reply = described_module(request["import"], own, modules)
            else:
                reply = answer(request, sys.modules[request["module"]], modules)
        except Exception as error:
            reply = {"error": last_line(error)}
        print(json.dumps(reply), file=channel, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # without Triton's list of leaked objects
