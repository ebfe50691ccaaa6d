# SPDX-License-Identifier: Apache-2.0 OR MIT
"""MOONBOW_TOOL names the moonbow executable."""

import os

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: only in the extended tests")
    if not os.access(os.environ.get("MOONBOW_TOOL", ""), os.X_OK):
        pytest.exit("MOONBOW_TOOL must name the moonbow executable", returncode=2)
