# SPDX-License-Identifier: Apache-2.0 OR MIT
# Declares the marker of the tests that take long; leave them out with `pytest -m "not slow"`.


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes tens of seconds")
