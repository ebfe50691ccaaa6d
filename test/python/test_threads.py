# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Threads: the interpreter's lock is free during operations, and keys serve many threads at once."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import moonbow

LONG = bytes(64 << 20)  # some tenths of a second of hashing


def others_run_during(operation):
    """Whether other threads run while the operation does: it is one call into the library, and the test counts meanwhile."""
    begun = threading.Event()

    def work():
        begun.set()
        operation()

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    turns = 0
    while thread.is_alive():
        time.sleep(0.002)
        turns += 1
    thread.join()
    return turns


@pytest.mark.parametrize("name", ["uov-Is-pkc", "rainbow-I-classic"])
def test_lock_is_released(keys, name):
    key = keys[name]
    signature = key.sign(LONG)
    for operation in (lambda: key.sign(LONG), lambda: key.public_key.verify(signature, LONG), lambda: key.signer().update(LONG),
                      lambda: key.public_key.verify_many([(signature, LONG)]),
                      lambda: key.public_key.verifier(signature).update(LONG)):
        assert others_run_during(operation) >= 10


def test_one_key_in_many_threads(key):
    messages = [b"%d" % i for i in range(200)]

    def work(message):
        signature = key.sign(message)
        key.public_key.verify(signature, message)
        stream = key.public_key.verifier(signature)
        stream.update(message)
        stream.finish()
        with pytest.raises(moonbow.InvalidSignature):
            key.public_key.verify(signature, message + b"x")
        return key.public_key.verify_many([(signature, message), (signature, b"")])

    with ThreadPoolExecutor(100) as pool:  # more than there are places for scratch memory
        assert list(pool.map(work, messages)) == [[True, False]] * len(messages)


def test_public_key_is_derived_once(keys):
    key = moonbow.SecretKey.from_pem(keys["rainbow-I-compressed"].to_pem())
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: key.public_key, range(8)))
    assert all(one is found[0] for one in found)


def test_stream_refuses_a_second_thread(keys):
    signer = keys["uov-Is-pkc"].signer()
    thread = threading.Thread(target=lambda: signer.update(LONG))
    thread.start()
    refused = 0
    while thread.is_alive():
        try:
            signer.update(b"")
        except RuntimeError:
            refused += 1
        time.sleep(0.001)
    thread.join()
    assert refused > 0
    keys["uov-Is-pkc"].public_key.verify(signer.finish(), LONG)
