"""A Triton that compiles nothing: as much of the package as the worker asks for, written into a folder."""

from __future__ import annotations

import sys
from pathlib import Path

FILES = {
    "triton/__init__.py": """
__version__ = "0.0.fake"
from . import language
from .runtime.jit import JITFunction
class Config:
    def __init__(self, kwargs, num_warps=4, num_stages=2):
        self.kwargs, self.num_warps, self.num_stages = kwargs, num_warps, num_stages
class Autotuner:
    def __init__(self, fn, configs):
        self.fn, self.configs = fn, configs
class Heuristics:
    def __init__(self, fn, values):
        self.fn, self.values = fn, values
def jit(fn):
    return JITFunction(fn)
def autotune(configs):
    return lambda fn: Autotuner(fn, configs)
def heuristics(values):
    return lambda fn: Heuristics(fn, values)
class Compiled:
    def __init__(self, llir):
        self.asm = {"llir": llir}
def compile(source, target, options):
    from .compiler import make_backend
    import json, os
    stages = {}
    make_backend(target).add_stages(stages, options)
    if source.fn.fn.__name__ == "dies":
        os.abort()
    if source.fn.fn.__name__ == "stalls":
        import time
        time.sleep(60)
    for name, kind in source.signature.items():
        if kind == "*fp64":
            raise ValueError("at 1:1:\\n  the excerpt\\n  ^\\nno doubles here")
    metadata = {}
    module = None
    for name, stage in stages.items():
        module = stage(module, metadata)
        if name == "llir":
            llir = module
    said = {"signature": source.signature, "options": options, "attributes": sorted(map(str, source.attrs.items()))}
    said["constants"] = sorted((str(k), str(v)) for k, v in source.constexprs.items())
    file = source.fn.fn.__code__.co_filename
    return Compiled(f'; {json.dumps(said)}\\n!1 = !DIFile(filename: "m.py", directory: "{os.path.dirname(file)}")\\n' + llir)
""",
    "triton/language.py": "constexpr = 'constexpr'\nfloat32 = 'the type float32'\ndef load(p): ...\ndef store(p, v): ...\n",
    "triton/compiler.py": """
class ASTSource:
    def __init__(self, fn, signature, constexprs, attrs):
        self.fn, self.signature, self.constexprs, self.attrs = fn, signature, constexprs, attrs
        self.name = fn.fn.__name__
class Backend:
    def add_stages(self, stages, options):
        stages["llir"] = lambda module, metadata: "define void @k() {\\n}\\n"
        stages["amdgcn"] = stages["hsaco"] = lambda module, metadata: 1 / 0
def make_backend(target):
    return Backend()
""",
    "triton/backends/__init__.py": "",
    "triton/backends/compiler.py": """
class GPUTarget:
    def __init__(self, backend, arch, warp_size):
        self.backend, self.arch, self.warp_size = backend, arch, warp_size
""",
    "triton/runtime/__init__.py": "",
    "triton/runtime/driver.py": """
class Driver:
    def set_active(self, active):
        self.active = active
driver = Driver()
""",
    "triton/runtime/jit.py": """
import inspect
class Parameter:
    def __init__(self, parameter):
        self.name = parameter.name
        self.annotation = str(parameter.annotation) if parameter.annotation is not parameter.empty else ""
        self.is_constexpr = "constexpr" in self.annotation
        self.default = parameter.default
class JITFunction:
    def __init__(self, fn):
        self.fn = fn
        self.params = [Parameter(p) for p in inspect.signature(fn).parameters.values()]
        self.arg_names = [p.name for p in self.params]
""",
}


def fake_python(folder: Path) -> Path:
    """A Python that has this Triton and no torch."""
    for name, text in FILES.items():
        path = folder / "packages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    program = folder / "python"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{folder / "packages"}" exec "{sys.executable}" "$@"\n')
    program.chmod(0o755)
    return program
