#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Known answers of the 2008 scheme in the conventions of this model: python3 hardware/rainbow_core/model/known_answers.py write|check.
# check recomputes known_answers.json, verifies the signatures, and tests the model against axioms and damage.
"""Write or check known_answers.json."""

import hashlib
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from model import field, rainbow2008, schedule, system  # noqa: E402

FILE = Path(__file__).with_name("known_answers.json")


def answers():
    result = []
    for shape in (system.RAINBOW1, system.RAINBOW2):
        for number in range(3):
            seed = f"moonbow hardware {shape.name} {number}".encode()
            key = rainbow2008.generate_key(shape, seed)
            forms = rainbow2008.public_key(key)
            message = [e for e in hashlib.shake_256(b"message" + seed).digest(shape.m)]
            signature, vinegars, attempts = rainbow2008.sign_with_seed(key, message, seed)
            assert rainbow2008.verify(shape, forms, message, signature)
            for place in (0, shape.n - 1):
                wrong = list(signature)
                wrong[place] ^= 1
                assert not rainbow2008.verify(shape, forms, message, wrong)
            wrong = list(message)
            wrong[-1] ^= 0x80
            assert not rainbow2008.verify(shape, forms, wrong, signature)
            trapdoor = rainbow2008.trapdoor(key)
            stream = b"".join(beat.to_bytes(schedule.Geometry(shape).columns, "little") for beat in schedule.key_beats(trapdoor, 1))
            result.append({
                "set": shape.name, "key_seed": seed.decode(), "public_forms_sha256": hashlib.sha256(b"".join(forms)).hexdigest(),
                "key_stream_sha256": hashlib.sha256(stream).hexdigest(), "message": bytes(message).hex(),
                "vinegars": bytes(vinegars).hex(), "attempts": attempts, "signature": bytes(signature).hex(),
            })
    return result


def check_fields():
    for f in (field.GF16, field.GF256):
        rng = random.Random(f.bits)
        for a in range(f.size):
            assert f.mul(a, 1) == a and (a == 0 or f.mul(a, f.inverse[a]) == 1)
            for b in range(f.size):
                assert f.mul(a, b) == f.mul(b, a)
                c = rng.randrange(f.size)
                assert f.mul(a, f.mul(b, c)) == f.mul(f.mul(a, b), c)
                assert f.mul(a, b ^ c) == f.mul(a, b) ^ f.mul(a, c)
    for a in range(16):  # GF(16) is the subfield of GF(256) with zero high nibbles
        assert all(field.GF16.mul(a, b) == field.GF256.mul(a, b) for b in range(16))


def main():
    if sys.argv[1:] == ["write"]:
        lines = ",\n".join(json.dumps(answer) for answer in answers())
        FILE.write_text(f'{{"license": "Apache-2.0 OR MIT", "made_by": "known_answers.py write", "answers": [\n{lines}\n]}}\n')
    elif sys.argv[1:] == ["check"]:
        check_fields()
        assert json.loads(FILE.read_text())["answers"] == answers(), "known_answers.json differs"
        for shape in system.SHAPES.values():  # the schedule of each shape places every coefficient
            schedule.key_tiles(system.random_system(shape, random.Random(0)))
        print("model: known answers, fields and schedules as expected")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
