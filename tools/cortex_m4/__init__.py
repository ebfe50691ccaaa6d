# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The host's side of firmware/: builds, runs, reports. command_line.py is the entry."""
