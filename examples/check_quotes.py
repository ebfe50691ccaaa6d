#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks that the C code in the documents is the code of the examples, which is compiled and run.

Usage: check_quotes.py EXAMPLES DOCUMENT...
Before each block of C stands the name of the file it is quoted from, as <!-- examples/NAME.c --> in Markdown and as .\\" examples/NAME.c in a manual page.
"""
import pathlib
import re
import sys
import textwrap

BLOCK = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE_BLOCK = re.compile(r'^\.\\" examples/(\S+)\n\.Bd -literal\n(.*?)^\.Ed$', re.MULTILINE | re.DOTALL)
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


def check_page(examples: pathlib.Path, page: pathlib.Path) -> list[str]:
    """The same for a manual page, which must have such a block."""
    blocks = PAGE_BLOCK.findall(page.read_text(encoding="utf-8"))
    problems = [] if blocks else [f"{page}: quotes no example"]
    for name, code in blocks:
        if not contains((examples / name).read_text(encoding="utf-8"), code.replace("\\e", "\\")):
            problems.append(f"{page}: the code is not in examples/{name}")
    return problems


def main() -> int:
    examples = pathlib.Path(sys.argv[1])
    documents = [pathlib.Path(name) for name in sys.argv[2:]]
    problems = [
        problem
        for document in documents
        for problem in (check if document.suffix == ".md" else check_page)(examples, document)
    ]
    print("\n".join(problems) if problems else "all code is quoted from the examples")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
