#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Turns the comments of a header into those that doxygen reads. Usage: documented.py HEADER; writes to standard output.

The headers are written for readers of C: a comment stands before what it describes, or behind it on the same line."""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
text = text.replace("/* SPDX-License-Identifier: Apache-2.0 OR MIT\n * ", "/** @file\n * ", 1)
text = re.sub(r"^(#.*?) */\*.*?\*/$", r"\1", text, flags=re.MULTILINE)  # behind a directive: of no use to users
text = re.sub(r"^/\* -+ .*? -+ \*/$", "", text, flags=re.MULTILINE)  # headings between sections
text = re.sub(r"(?<=\S)([ \t]+)/\*(?!\*)", r"\1/**<", text)  # behind a declaration
text = re.sub(r"^([ \t]*)/\*(?!\*)(?=[^\n]*\*/$|[^\n]*\n(?:[ \t]*\*[^\n]*\n)*?[^\n]*\*/$)", r"\1/**", text, flags=re.MULTILINE)
sys.stdout.write(text)
