# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests of the installed package moonbow. MOONBOW_TOOL names the command line that keys are exchanged with."""

import os
import pathlib
import subprocess
import sys

import pytest

import moonbow

TEST = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TEST))  # for the independent model

TOOL = os.environ.get("MOONBOW_TOOL")

# One of each family and key format, small.
SOME = ["uov-Is", "uov-Is-pkc", "uov-Is-pkc-skc", "rainbow-I-classic", "rainbow-I-circumzenithal", "rainbow-I-compressed"]


def pytest_configure(config):
    if not TOOL or not os.access(TOOL, os.X_OK):
        pytest.exit("MOONBOW_TOOL must name the moonbow executable", returncode=2)
    config.addinivalue_line("markers", "slow: only in the extended tests")
    config.addinivalue_line("filterwarnings", "ignore::moonbow.InsecureAlgorithmWarning")


@pytest.fixture(scope="session")
def keys():
    """Secret keys by the names of their algorithms."""
    return {name: moonbow.generate(name) for name in SOME}


@pytest.fixture(params=SOME, scope="session")
def key(request, keys):
    return keys[request.param]


@pytest.fixture
def tool(tmp_path):
    """Runs the tool in the test's folder; returns its exit status."""

    def run(*arguments):
        return subprocess.run([TOOL, *arguments], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=60).returncode

    return run
