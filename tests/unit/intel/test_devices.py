"""The table of devices says what the compilers said."""

from __future__ import annotations

import pytest
from regtriage.dataflow.intel.devices import DEFAULT_DEVICE, DEVICES, find_device

from .kernels import device


def test_the_matrix_unit_is_a_property_of_the_device():
    # As ocloc 26.27 answers; texts about the overflow count the A770 among GPUs without one.
    assert {d.name for d in DEVICES if not d.has_dpas} == {"arl-s", "mtl", "mtl-h", "tgllp", "adl-s"}
    assert device("a770").has_dpas


@pytest.mark.parametrize("name", [d.name for d in DEVICES])
def test_the_cap_is_256_kib_from_xe_hp_on_and_2_mib_before(name: str):
    found = device(name)
    assert found.ptss_cap == (2 << 20 if found.family == "Xe-LP" else 256 << 10)
    assert found.register_file == found.grf_bytes * 128


def test_names_are_found_in_any_case_and_others_are_not():
    assert find_device("ARL-S") is device(DEFAULT_DEVICE)
    assert find_device("gfx950") is None
