#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks that the C code in the documents is the code of the examples, which is compiled and run.

Usage: check_quotes.py EXAMPLES DOCUMENT...
Before each block of C stands the name of the file it is quoted from, as <!-- examples/NAME.c -->.
"""
import pathlib
import re
import sys
import textwrap

BLOCK = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCE = re.compile(r"<!-- examples/(\S+) -->\n\Z")


def contains(source: str, quote: str) -> bool:
    """Is the quote a run of whole lines of the source, up to a common indentation?"""
    source_lines, quoted_lines = source.split("\n"), quote.rstrip("\n").split("\n")
    for start in range(len(source_lines) - len(quoted_lines) + 1):
        run = "\n".join(source_lines[start : start + len(quoted_lines)])
        if textwrap.dedent(run) == "\n".join(quoted_lines):
            return True
    return False


def check(examples: pathlib.Path, document: pathlib.Path) -> list[str]:
    """One sentence for each block that is not a quotation."""
    text = document.read_text(encoding="utf-8")
    problems = []
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start()) + 1
        source = SOURCE.search(text, 0, block.start())
        if source is None:
            problems.append(f"{document}:{line}: no <!-- examples/NAME.c --> before the code")
        elif not contains((examples / source[1]).read_text(encoding="utf-8"), block[1]):
            problems.append(f"{document}:{line}: the code is not in examples/{source[1]}")
    return problems


def main() -> int:
    examples = pathlib.Path(sys.argv[1])
    problems = [problem for name in sys.argv[2:] for problem in check(examples, pathlib.Path(name))]
    print("\n".join(problems) if problems else "all code is quoted from the examples")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
