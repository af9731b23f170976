"""Runs inside the Python of an installed Triton: reads questions as JSON on stdin, writes its answers on stdout.

A question is one of
  {"ask": "linear", "module": TEXT}            the linear form of each op result's or buffer's layout, by function
  {"ask": "conflicts", "module": TEXT, "bits": [NUMBER…]}
                                               bank conflicts of each tensor with the buffer that follows it
  {"ask": "coalesce", "module": TEXT, "target": …, "warps": NUMBER, "threads": NUMBER}
                                               TTIR, after layouts were given and Triton's coalescing pass ran
  {"ask": "lower", "modules": [TEXT…], "backend": "cuda" | "hip", "arch": …}
                                               how each module uses shared memory and shuffles after lowering
and the answer to it is one line of JSON.
"""

# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false
import json
import os
import re
import sys
import tempfile

from triton._C.libtriton import amd, gluon_ir, ir, nvidia, passes


def parse(text, context):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir", delete=False) as file:
        file.write(text)
    try:
        module = ir.parse_mlir_module(file.name, context)
    finally:
        os.unlink(file.name)  # noqa: PTH108
    module.context = context
    return module


def bases(layout):
    if hasattr(layout, "offset_bases"):
        return {"offset": layout.offset_bases, "block": layout.block_bases}
    names = {"register": "reg_bases", "lane": "lane_bases", "warp": "warp_bases", "block": "block_bases"}
    return {index: getattr(layout, name) for index, name in names.items()}


def linear(question, context):
    builder = gluon_ir.GluonOpBuilder(context)
    module = parse(question["module"], context)
    answers = []

    def visit(op):
        if op.get_name() not in ("ub.poison", "ttg.local_alloc"):
            return
        value = op.get_result(0)
        try:
            if op.get_name() == "ub.poison":
                layout = builder.get_gluon_layout_from_tensor(value)
                shape = builder.get_shape_from_tensor(value)
            else:
                layout = builder.get_gluon_layout_from_memdesc(value)
                shape = question["shapes"][len(answers)]
            answers.append(bases(builder.to_linear_layout(layout._to_ir(builder), shape)))
        except Exception as error:
            answers.append({"error": f"{type(error).__name__}: {error}"})

    module.walk(visit)
    return answers


def conflicts(question, context):
    """For each pair of a tensor and a buffer that follow each other in the module."""
    builder = gluon_ir.GluonOpBuilder(context)
    module = parse(question["module"], context)
    found = []

    def visit(op):
        if op.get_name() == "ub.poison":
            builder.set_insertion_point_to_start(op.get_block())  # it looks for the module's number of warps there
            value = op.get_result(0)
            found.append((builder.get_gluon_layout_from_tensor(value), builder.get_shape_from_tensor(value)))
        elif op.get_name() == "ttg.local_alloc":
            found.append(builder.get_gluon_layout_from_memdesc(op.get_result(0)))

    module.walk(visit)
    answers = []
    for (layout, shape), buffer, bits in zip(found[::2], found[1::2], question["bits"], strict=True):
        attributes = (layout._to_ir(builder), buffer._to_ir(builder))
        answers.append(builder.get_shared_bank_conflicts(*attributes, shape, bits))
    return answers


def coalesce(question, context):
    module = parse(question["module"], context)
    manager = ir.pass_manager(context)
    passes.ttir.add_convert_to_ttgpuir(manager, question["target"], question["warps"], question["threads"], 1)
    passes.ttgpuir.add_coalesce(manager)
    manager.run(module, "coalesce")
    return module.str_nodebug()


def lower(question, context):
    """For each module the bytes of shared memory, and how many shuffles and accesses to shared memory it became."""
    return [lower_one(text, question["backend"], question["arch"], context) for text in question["modules"]]


def lower_one(text, backend, arch, context):
    module = parse(text, context)
    manager = ir.pass_manager(context)
    passes.convert.add_scf_to_cf(manager)
    if backend == "cuda":
        nvidia.passes.ttgpuir.add_allocate_shared_memory_nv(manager, arch, 80)
        try:
            nvidia.passes.ttgpuir.add_to_llvmir(manager, arch, 80)
        except TypeError:  # before Triton 3.9
            nvidia.passes.ttgpuir.add_to_llvmir(manager, arch, 80, False)  # noqa: FBT003
    else:
        try:
            amd.passes.ttgpuir.add_allocate_shared_memory(manager, arch)
        except TypeError:  # before Triton 3.9
            amd.passes.ttgpuir.add_allocate_shared_memory(manager)
        amd.passes.ttgpuir.add_to_llvmir(manager, arch, True)  # noqa: FBT003
    manager.run(module, "lower")
    lowered = module.str_nodebug()
    shared = re.search(r"ttg.shared = (\d+)", lowered)
    return {
        "shared": int(shared.group(1)) if shared else 0,
        "shuffles": len(re.findall(r"nvvm.shfl|ds.bpermute|ds.swizzle|permlane|update.dpp|readlane", lowered)),
        "accesses": len(
            re.findall(r"llvm\.(?:load|store) .*ptr<3>|ldmatrix|stmatrix|ds.read.tr|ptx .*shared", lowered)
        ),
    }


ANSWERS = {"linear": linear, "conflicts": conflicts, "coalesce": coalesce, "lower": lower}


def main():
    context = ir.context()
    ir.load_dialects(context)
    nvidia.load_dialects(context)
    amd.load_dialects(context)
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = ANSWERS[question["ask"]](question, context)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # without Triton's list of leaked objects
