# SPDX-License-Identifier: Apache-2.0 OR MIT
# Hash expansion and the AES-256 CTR-DRBG of [RB3 §3], and the sequence of seeds and messages of NIST's known answers.
"""Everything pseudo-random: [RB3 §3] and the outer generator of [RB3 §8]."""

import hashlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def hash_bytes(hash_name, data):
    """H(data); the name is one that hashlib knows, e.g. "sha256"."""
    return hashlib.new(hash_name, data).digest()


def expand_hash(hash_name, data, length):
    """XH(data, length): the first bytes of h0 ‖ h1 ‖ … with h0 = H(data), h(i+1) = H(h(i)) [RB3 §3]."""
    link = hash_bytes(hash_name, data)
    output = link
    while len(output) < length:
        link = hash_bytes(hash_name, link)
        output += link
    return output[:length]


class Generator:
    """AES-256 CTR-DRBG without derivation function, instantiated with 48 bytes [RB3 §3]."""

    def __init__(self, entropy):
        assert len(entropy) == 48
        self.key = bytes(32)
        self.v = 0  # a 128-bit number, written big-endian
        self._update(entropy)

    def _blocks(self, count):
        """`count` times: increment V and output AES(Key, V)."""
        counters = b""
        if count:
            counters = b"".join(((self.v + i) % 2**128).to_bytes(16, "big") for i in range(1, count + 1))
        self.v = (self.v + count) % 2**128
        return Cipher(algorithms.AES(self.key), modes.ECB()).encryptor().update(counters)

    def _update(self, data):
        state = self._blocks(3)
        if data:
            state = bytes(a ^ b for a, b in zip(state, data))
        self.key, self.v = state[:32], int.from_bytes(state[32:], "big")

    def draw(self, length):
        """One draw: the unused bytes of its last block are discarded, then the state is updated without data [RB3 §3]."""
        output = self._blocks(-(-length // 16))[:length]
        self._update(None)
        return output


def seeded_generator(hash_name, seed):
    """PRNG(seed): a long seed is cut to 48 bytes, a short one is prolonged by XH(seed, 48 - length) [RB3 §3]."""
    if len(seed) >= 48:
        return Generator(seed[:48])
    return Generator(seed + expand_hash(hash_name, seed, 48 - len(seed)))


def nist_sequence(counts):
    """The (count, seed, message) of NIST's known answers, count = 0, 1, … [RB3 §8]."""
    outer = Generator(bytes(range(48)))
    for count in range(counts):
        seed = outer.draw(48)
        message = outer.draw(33 * (count + 1))
        yield count, seed, message


def nist_vector_text(count, seed, message, public_key, secret_key, signature):
    """The text of one vector in a .rsp file, without the empty line that follows it there [RB3 §8]."""
    signed_message = message + signature
    lines = [
        f"count = {count}",
        f"seed = {seed.hex().upper()}",
        f"mlen = {len(message)}",
        f"msg = {message.hex().upper()}",
        f"pk = {public_key.hex().upper()}",
        f"sk = {secret_key.hex().upper()}",
        f"smlen = {len(signed_message)}",
        f"sm = {signed_message.hex().upper()}",
    ]
    return "".join(line + "\n" for line in lines).encode()
