# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The registry, and what is said of broken sets."""

import json
import subprocess
import warnings

import pytest
from conftest import TOOL

import moonbow
from moonbow import Algorithm, Security, _core


def test_registry_is_the_librarys():
    assert [a.value for a in Algorithm] == [row[0] for row in _core.algorithms()]


def test_facts_are_those_of_the_tool():
    listed = json.loads(subprocess.run([TOOL, "list", "--json"], capture_output=True, check=True).stdout)
    rows = {row["name"]: row for row in listed["algorithms"]}
    for a in Algorithm:
        row = rows.pop(str(a))
        assert (a.security.value, a.caution) == (row["security"], row["caution"])
        sizes = (row["public_key_bytes"], row["secret_key_bytes"], row["signature_bytes"])
        assert (a.public_key_bytes, a.secret_key_bytes, a.signature_bytes) == sizes
    assert not rows


def test_lookup():
    assert Algorithm("uov-Is-pkc") is Algorithm.UOV_IS_PKC
    assert str(Algorithm.UOV_IS_PKC) == "uov-Is-pkc"
    for wrong in ("uov-is-pkc", "", "ML-DSA-44"):
        with pytest.raises(ValueError):
            Algorithm(wrong)
        with pytest.raises(ValueError):
            moonbow.generate(wrong)


def test_version():
    assert moonbow.__version__ == _core.version
    assert moonbow.__version__.split(".")[:2] == ["0", "1"]


@pytest.mark.filterwarnings("error::moonbow.InsecureAlgorithmWarning")
@pytest.mark.parametrize("algorithm", [a for a in Algorithm if a.value.startswith(("rainbow-I-", "uov-Is"))])
def test_warning_of_what_is_broken(algorithm, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", moonbow.InsecureAlgorithmWarning)
        key = moonbow.generate(algorithm)
        key.save(tmp_path / "key")
        key.public_key.save(tmp_path / "key.pub")
    public = key.public_key
    makers = [
        lambda: moonbow.generate(algorithm),
        lambda: moonbow.SecretKey.from_pem(key.to_pem()),
        lambda: moonbow.SecretKey.from_der(key.to_der()),
        lambda: moonbow.SecretKey.from_bytes(algorithm, key.to_bytes()),
        lambda: moonbow.SecretKey.load(tmp_path / "key"),
        lambda: moonbow.PublicKey.from_pem(public.to_pem()),
        lambda: moonbow.PublicKey.from_der(public.to_der()),
        lambda: moonbow.PublicKey.from_bytes(algorithm, public.to_bytes()),
        lambda: moonbow.PublicKey.load(tmp_path / "key.pub"),
    ]
    for make in makers:
        if algorithm.security is Security.CANDIDATE:
            make()
            continue
        with pytest.warns(moonbow.InsecureAlgorithmWarning, match="broken") as caught:
            make()
        assert len(caught) == 1
        assert caught[0].filename == __file__  # the caller's line, not ours
