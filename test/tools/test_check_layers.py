# SPDX-License-Identifier: Apache-2.0 OR MIT
"""tools/check_layers.py finds each kind of violation, at its line, and nothing in a tree that has none.
Standard library only: `python3 test/tools/test_check_layers.py`, or pytest."""

import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
import check_layers  # noqa: E402

LICENCE = "/* SPDX-License-Identifier: Apache-2.0 OR MIT */\n"

# A tree that keeps the rules, with what comes close to breaking them.
GOOD = {
    "include/moonbow/signature.h": "#include <stddef.h>\n#if defined(__arm__)\n#endif\n",
    "src/platform/wipe.h": "",
    "src/platform/cpu.c": '#include "platform/wipe.h"\n#ifdef __x86_64__\n#endif\n',
    "src/platform/random.c": "#include <errno.h>\n#include <sys/random.h>\n",
    "src/platform/declassify.h": "#ifdef TEST\n#include <valgrind/memcheck.h>\n#endif\n",
    "src/symmetric/aes.c": '#include "platform/wipe.h"\n#include "symmetric/aes.h"\n#include <string.h>\n',
    "src/symmetric/aes.h": "",
    "src/symmetric/x86/aes_ni.c": "#include <immintrin.h>\n",
    "src/field/field.h": '#include "platform/wipe.h"\n',
    "src/linear/contract.h": '#include "field/field.h"\n/* As Rainbow needs it [RB3 §6]; uov_ too. */\n',
    "src/linear/x86/x86.h": "",
    "src/linear/dispatch.c": '#include "linear/x86/x86.h"\n#if defined(__x86_64__) && \\\n    defined(__GNUC__)\n#endif\n',
    "src/quadratic/evaluate.c": '#include "linear/contract.h"\n// malloc(1) and #include <stdio.h>\n',
    "src/scheme/scheme.h": "#include <moonbow/signature.h>\n",
    "src/rainbow/sign.c": '#include "quadratic/evaluate.h"\n#include "scheme/scheme.h"\nint mb_rainbow_sign = set->open(1);\n',
    "src/uov/sign.c": '#include "symmetric/aes.h"\n',
    "src/signature/registry.c": '#include "scheme/scheme.h"\nint moonbow_rainbow;\n',
    "container/key.c": '#include "key.h"\n#include <stdlib.h>\n#include <moonbow/signature.h>\n',
    "container/key.h": "",
    "container/der.h": "",
    "provider/key.c": '#include "key.h"\n#include <container/key.h>\n#include <moonbow/signature.h>\n#include <openssl/core.h>\n',
    "provider/key.h": "",
    "cli/main.cpp": '#include <container/key.h>\n#include <vector>\n#if defined(__x86_64__)\n#endif\n',
    "test/test_any.c": '#include "linear/x86/x86.h"\n#include <stdio.h>\n',
}

# What is planted: file, text appended to it, how the finding begins. The line is that of the text's last.
BAD = [
    ("src/platform/cpu.c", '#include "symmetric/aes.h"\n', "layer platform includes symmetric"),
    ("src/symmetric/aes.c", '#include "field/field.h"\n', "layer symmetric includes field"),
    ("src/field/field.h", '  #  include "linear/contract.h"\n', "layer field includes linear"),
    ("src/linear/contract.h", '#include "quadratic/evaluate.h"\n', "layer linear includes quadratic"),
    ("src/quadratic/evaluate.c", '#include "rainbow/sign.h"\n', "layer quadratic includes rainbow"),
    ("src/quadratic/evaluate.c", '#include "scheme/scheme.h"\n', "layer quadratic includes scheme"),
    ("src/scheme/scheme.h", '#include "uov/sign.h"\n', "layer scheme includes uov"),
    ("src/rainbow/sign.c", '#include "uov/sign.h"\n', "scheme rainbow includes scheme uov"),
    ("src/uov/sign.c", '#include "signature/verify.h"\n', "layer uov includes signature"),
    ("src/quadratic/evaluate.c", '#include "linear/x86/x86.h"\n', '"linear/x86/x86.h" belongs to a backend'),
    ("src/rainbow/sign.c", '#include "secret.h"\n', '"secret.h" is not written as a path'),
    ("src/quadratic/evaluate.c", "#include <stdio.h>\n", "<stdio.h> in the freestanding core"),
    ("src/symmetric/aes.c", "#include <immintrin.h>\n", "<immintrin.h> in the freestanding core"),
    ("src/rainbow/sign.c", "void *p = malloc (3);\n", "calls malloc()"),
    ("src/symmetric/aes.c", "#if 0\n#elif defined(__aarch64__)\n", "conditional on __aarch64__"),
    ("src/rainbow/sign.c", "#ifdef __AVX2__\n", "conditional on __AVX2__"),
    ("src/linear/contract.h", "#if 1 && \\\n    defined(__ARM_NEON)\n", "conditional on __ARM_NEON"),
    ("include/moonbow/signature.h", "#ifdef __x86_64__\n", "conditional on __x86_64__"),
    ("include/moonbow/signature.h", "#include <stdio.h>\n", "a public header includes <stdio.h>"),
    ("src/linear/contract.h", "int mb_rainbow_rows;\n", "mb_rainbow_rows names the scheme rainbow"),
    ("src/field/field.h", "enum { UOV_FIELD };\n", "UOV_FIELD names the scheme uov"),
    ("src/symmetric/aes.c", "int mayo;\n", "mayo names the scheme mayo"),
    ("container/key.c", '#include "platform/wipe.h"\n', 'container includes "platform/wipe.h"'),
    ("cli/main.cpp", '#include "../src/platform/wipe.h"\n', 'cli includes "../src/platform/wipe.h"'),
    ("cli/main.cpp", "#include <src/platform/wipe.h>\n", 'cli includes "src/platform/wipe.h"'),
    ("cli/main.cpp", '#include "wipe.h"\n', '"wipe.h" is not a file of cli'),
    ("container/key.c", "#include <cli/main.h>\n", "container includes cli"),
    ("container/key.c", "#include <provider/key.h>\n", "container includes provider"),
    ("provider/key.c", '#include "platform/wipe.h"\n', 'provider includes "platform/wipe.h"'),
    ("provider/key.c", "#include <cli/keys.h>\n", "provider includes cli"),
    ("provider/key.c", "#include <container/der.h>\n", '"container/der.h" is internal to container'),
    ("provider/key.c", "#ifdef __x86_64__\n", "conditional on __x86_64__"),
    ("cli/main.cpp", "#include <provider/key.h>\n", "cli includes provider"),
]


def findings(planted_path=None, planted=""):
    """Checks the good tree with some text appended to one of its files."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in GOOD.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(LICENCE + text + (planted if path == planted_path else ""))
        if planted_path is not None and planted_path not in GOOD:
            with open(os.path.join(root, planted_path), "w", encoding="utf-8") as file:
                file.write(planted)
        return check_layers.Check(root).run()


class CheckLayers(unittest.TestCase):
    def test_good_tree_passes(self):
        self.assertEqual(findings(), [])

    def test_each_planted_violation_is_found(self):
        for path, planted, reason in BAD:
            with self.subTest(path=path, planted=planted):
                found = findings(path, planted)
                self.assertEqual(len(found), 1, found)
                before = (LICENCE + GOOD[path]).count("\n")
                first, last = before + 1, before + planted.count("\n")
                self.assertEqual(found[0][0], path)
                self.assertTrue(first <= found[0][1] <= last, found)
                self.assertTrue(found[0][2].startswith(reason), found)

    def test_missing_licence_is_found(self):
        for text in ("", "int x;\n", "#!/bin/sh\n", "\n" + LICENCE):
            with self.subTest(text=text):
                self.assertEqual([f[0] for f in findings("src/uov/new.c", text)], ["src/uov/new.c"])
        self.assertEqual(findings("test/new.sh", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0 OR MIT\n"), [])

    def test_command_prints_and_fails(self):
        with tempfile.TemporaryDirectory() as root, contextlib.redirect_stdout(io.StringIO()) as output:
            os.makedirs(os.path.join(root, "src", "field"))
            with open(os.path.join(root, "src", "field", "a.c"), "w", encoding="utf-8") as file:
                file.write(LICENCE + '#include <stdio.h>\n')
            self.assertEqual(check_layers.main([root]), 1)
            self.assertEqual(output.getvalue(), "src/field/a.c:2: <stdio.h> in the freestanding core\n")


if __name__ == "__main__":
    unittest.main()
