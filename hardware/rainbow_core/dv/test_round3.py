# SPDX-License-Identifier: Apache-2.0 OR MIT
# Third-round Rainbow on the fast core: keys and signatures of the software's model (test/model, which reproduces the published known
# answers), the core fed with the vinegars and salted hashes that the software draws. The signatures must be equal bit by bit.
"""Third-round signatures, bit-exact with the software's model."""

import importlib.util
import sys
from pathlib import Path

import cocotb

from bench import EFFORT, ROWS, SHAPE, Bench
from model import round3, schedule

ROOT = Path(__file__).resolve().parents[3]


def software():
    """The package test/model under a name that does not collide with the model of the hardware."""
    place = ROOT / "test" / "model"
    spec = importlib.util.spec_from_file_location("software_model", place / "__init__.py", submodule_search_locations=[str(place)])
    package = importlib.util.module_from_spec(spec)
    sys.modules["software_model"] = package
    spec.loader.exec_module(package)
    return importlib.import_module("software_model.rainbow")


@cocotb.test()
async def signatures_are_those_of_the_software(dut):
    rainbow = software()
    parameters = rainbow.SETS["I"]
    bench = Bench(dut, lambda beats: beats[1])
    await bench.start()
    for trial in range(EFFORT):
        seed = bytes([trial]) * 32
        public_key, secret_key = rainbow.generate_keys(parameters, "classic", seed)
        system = round3.system_from_secret_key(SHAPE, secret_key)
        trapdoor = Loaded((system, schedule.key_beats(system, ROWS)))
        for count in range(4):
            message = b"third round on the core, %d" % count
            wanted = rainbow.sign(parameters, "classic", secret_key, message)
            # What the software around the core does [RB3 §6]: it draws and hashes, the core solves.
            digest = rainbow.hash_bytes(parameters.hash, message)
            generator = rainbow.seeded_generator(parameters.hash, rainbow.hash_bytes(parameters.hash, secret_key[:32] + digest))
            failed, attempts = 0, 0
            while failed == 0:  # vinegars until layer 1 is regular; the message does not matter for that
                vinegars = list(map(int, parameters.field.unpack(generator.draw(SHAPE.v1 // 2))))
                _, failed, _ = await bench.attempt(trapdoor, [0] * SHAPE.m, vinegars)
                attempts += 1
            signature = None
            while signature is None:  # salts until layer 2 is
                salt = generator.draw(16)
                hashed = list(map(int, parameters.field.unpack(rainbow.expand_hash(parameters.hash, digest + salt, SHAPE.m // 2))))
                signature, failed, _ = await bench.attempt(trapdoor, hashed, vinegars)
                attempts += 1
            signature = round3.pack(SHAPE, signature) + salt
            assert signature == wanted
            if count == 0:
                assert rainbow.verify(parameters, "classic", public_key, message, signature)
            dut._log.info("key %d, message %d: equal after %d attempts", trial, count, attempts)


class Loaded(tuple):
    """(system, its key stream): the stream is made once for all attempts with a key."""

    @property
    def shape(self):
        return self[0].shape
