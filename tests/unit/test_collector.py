"""The garbage collector rests while a kernel is looked at, and is then as it was."""

from __future__ import annotations

import gc

import pytest
from regtriage.tools.collector import collector_paused


def test_it_rests_until_the_end():
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            assert not gc.isenabled()
        assert not gc.isenabled(), "it rested before"
    assert gc.isenabled()


def test_it_works_again_after_an_error():
    with pytest.raises(ValueError, match="x"), collector_paused():
        raise ValueError("x")
    assert gc.isenabled()
