"""Intel GPUs as far as spilling is concerned: registers, scratch, shared local memory, matrix unit.

Sources of the columns:

has_dpas      what ocloc 26.27 answers to `ocloc query CL_DEVICE_EXTENSIONS -device NAME`: the device has a matrix
              unit if cl_intel_subgroup_matrix_multiply_accumulate is among its extensions. It is a property of the
              device: all of Xe-HPG has the unit, the A770 (acm-g10) included, although texts about the overflow
              name that card among GPUs without one.
ptss_cap      bytes of scratch one hardware thread may use. IGC, Platform.hpp, maxPerThreadScratchSpace: 256 KiB from
              Xe-HP on, 2 MiB before. IGC 2.40.14 prints 262144 in its error for every device of Xe-HP and later here.
grf_bytes     bytes of one general register, 64 on PVC and from Xe2 on, 32 before. `spilled around N` in IGC's log
              counts such registers.
grf_count     registers of a thread as compiled by default, `grf_count` in .ze_info.
slm_bytes     shared local memory of a work group, as Level Zero and OpenCL report it for these families.
ip_version    what `ocloc ids NAME` prints, "" where it was not asked.
"""

from __future__ import annotations

from dataclasses import dataclass

KIB = 1024


@dataclass(frozen=True, slots=True)
class Device:
    """One GPU by the name ocloc takes. Sizes in bytes; threads: hardware threads of an execution unit."""

    name: str
    family: str
    product: str
    ip_version: str
    grf_bytes: int
    grf_count: int
    threads: int
    slm_bytes: int
    ptss_cap: int
    has_dpas: bool

    @property
    def register_file(self) -> int:
        """Bytes of registers that one thread has."""
        return self.grf_bytes * self.grf_count


def _device(name: str, family: str, product: str, ip: str = "", *, dpas: bool, wide: bool = False) -> Device:
    old = family == "Xe-LP"
    return Device(
        name=name,
        family=family,
        product=product,
        ip_version=ip,
        grf_bytes=64 if wide else 32,
        grf_count=128,
        threads=7 if old else 8,
        slm_bytes=(128 if wide else 64) * KIB,
        ptss_cap=(2048 if old else 256) * KIB,
        has_dpas=dpas,
    )


DEVICES: tuple[Device, ...] = (
    _device("arl-s", "Xe-LPG", "Arrow Lake-S", "12.70.4", dpas=False),
    _device("mtl", "Xe-LPG", "Meteor Lake", "12.70.4", dpas=False),
    _device("mtl-h", "Xe-LPG", "Meteor Lake-H", dpas=False),
    _device("arl-h", "Xe-LPG+", "Arrow Lake-H", dpas=True),
    _device("acm-g10", "Xe-HPG", "Arc A770, A750", dpas=True),
    _device("acm-g11", "Xe-HPG", "Arc A380, A310", dpas=True),
    _device("acm-g12", "Xe-HPG", "Arc A580M, A570M", dpas=True),
    _device("dg2", "Xe-HPG", "Arc A-series", "12.55.8", dpas=True),
    _device("pvc", "Xe-HPC", "Data Center GPU Max", dpas=True, wide=True),
    _device("lnl", "Xe2", "Lunar Lake", "20.4.4", dpas=True, wide=True),
    _device("bmg", "Xe2", "Arc B580, B570", "20.1.0", dpas=True, wide=True),
    _device("tgllp", "Xe-LP", "Tiger Lake", dpas=False),
    _device("adl-s", "Xe-LP", "Alder Lake-S", dpas=False),
)

DEFAULT_DEVICE = "arl-s"
"""A device without a matrix unit under the cap of 256 KiB: where the overflow is met."""

_ALIASES = {"mtl-u": "mtl", "mtl-s": "mtl", "a770": "acm-g10", "a750": "acm-g10", "b580": "bmg", "xe-hpg": "dg2"}


def find_device(name: str) -> Device | None:
    """The device of that name, whatever its case; None if the table lacks it."""
    wanted = name.lower()
    wanted = _ALIASES.get(wanted, wanted)
    return next((device for device in DEVICES if device.name == wanted), None)
