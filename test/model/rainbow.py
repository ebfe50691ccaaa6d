# SPDX-License-Identifier: Apache-2.0 OR MIT
# Rainbow of the third NIST round for any field and any shape, written as [RB3 §4] to [RB3 §7] state it in matrix terms.
# Slow and not constant-time on purpose: a reference to compare with, never to sign with. Fields: fields.py; randomness: generator.py.
"""Rainbow, literally. A stack of quadratic forms is an array [polynomial, i, j] of upper-triangular n × n matrices."""

from dataclasses import dataclass
from typing import NamedTuple, Optional

import numpy as np

from . import fields
from .generator import expand_hash, hash_bytes, seeded_generator

FORMATS = ("classic", "circumzenithal", "compressed")
SEED_BYTES = 32
SALT_BYTES = 16
ATTEMPTS_LIMIT = 128

LAYER1_BLOCKS = (1, 2)
LAYER2_BLOCKS = (1, 2, 3, 5, 6)
ALL_BLOCKS = (1, 2, 3, 5, 6, 9)


@dataclass(frozen=True)
class Parameters:
    """A field, a shape and a hash [RB3 §1]; the published sets are in SETS.

    Over GF(16) v1, o1 and o2 must all be even: columns of T1, T2 have v1 elements, those of S1, T3 have o1, monomials of
    the layers have o1 and o2 coefficients, and the packing of [RB3 §2] fills whole bytes only with even counts.
    """

    field: fields.Field
    v1: int
    o1: int
    o2: int
    hash: str

    def __post_init__(self):
        if min(self.v1, self.o1, self.o2) < 1:
            raise ValueError("v1, o1, o2 must be positive")
        if self.field.bits == 4 and (self.v1 % 2 or self.o1 % 2 or self.o2 % 2):
            raise ValueError("over GF(16) v1, o1 and o2 must be even")

    @property
    def n(self):
        return self.v1 + self.o1 + self.o2

    @property
    def m(self):
        return self.o1 + self.o2

    @property
    def groups(self):
        """The three groups of variables v1 | o1 | o2, each as its range of indices [RB3 §4]."""
        return range(0, self.v1), range(self.v1, self.v1 + self.o1), range(self.v1 + self.o1, self.n)

    def monomials(self, block):
        """The (i, j) of a block in the order of serialisation: row-major, i ≤ j where the block is triangular [RB3 §4]."""
        vinegar, oil1, oil2 = self.groups
        rows, columns = {
            1: (vinegar, vinegar), 2: (vinegar, oil1), 3: (vinegar, oil2),
            5: (oil1, oil1), 6: (oil1, oil2), 9: (oil2, oil2),
        }[block]
        return [(i, j) for i in rows for j in columns if i <= j]

    @property
    def signature_bytes(self):
        return self.field.packed_bytes(self.n) + SALT_BYTES


SETS = {
    "I": Parameters(fields.GF16_TOWER, 36, 32, 32, "sha256"),
    "III": Parameters(fields.GF256_TOWER, 68, 32, 48, "sha384"),
    "V": Parameters(fields.GF256_TOWER, 96, 36, 64, "sha512"),
    "I-tweaked": Parameters(fields.GF16_POLYNOMIAL, 36, 32, 32, "sha256"),  # [RB3 §8], the tweaked sets
}


# -- serialisation [RB3 §4] ----------------------------------------------------------------------------------------------


class Reader:
    """Takes the pieces of a byte string in order."""

    def __init__(self, data):
        self.data = bytes(data)
        self.position = 0

    def take(self, length):
        if self.position + length > len(self.data):
            raise ValueError("too short")
        piece = self.data[self.position : self.position + length]
        self.position += length
        return piece

    def finish(self):
        if self.position != len(self.data):
            raise ValueError("too long")


def zero_forms(p, polynomials):
    return np.zeros((polynomials, p.n, p.n), dtype=np.uint8)


def write_monomials(p, forms, monomials):
    """For each monomial (i, j) the coefficients of all polynomials of the stack, packed."""
    return b"".join(p.field.pack(forms[:, i, j]) for i, j in monomials)


def read_monomials(p, forms, monomials, source):
    """Fill the coefficients of these monomials into `forms`; `source(length)` yields the bytes of all of them at once."""
    each = p.field.packed_bytes(len(forms))
    data = source(each * len(monomials))
    for index, (i, j) in enumerate(monomials):
        forms[:, i, j] = p.field.unpack(data[index * each : (index + 1) * each])


def write_blocks(p, forms, blocks):
    return b"".join(write_monomials(p, forms, p.monomials(block)) for block in blocks)


def read_blocks(p, forms, blocks, source):
    for block in blocks:
        read_monomials(p, forms, p.monomials(block), source)


def write_matrix(p, matrix):
    """A matrix, column by column."""
    return p.field.pack(matrix.T)


def read_matrix(p, rows, columns, source):
    data = source(p.field.packed_bytes(rows * columns))
    return p.field.unpack(data).reshape(columns, rows).T


# -- the maps [RB3 §4] ---------------------------------------------------------------------------------------------------


def unit_upper(p, t1, t_corner, t3):
    """[I T1 corner; 0 I T3; 0 0 I]: this is T for corner = T2 and T⁻¹ for corner = T4."""
    a, b = p.v1, p.v1 + p.o1
    matrix = np.eye(p.n, dtype=np.uint8)
    matrix[:a, a:b] = t1
    matrix[:a, b:] = t_corner
    matrix[a:b, b:] = t3
    return matrix


def upper_triangle(matrix):
    """UT: adds the lower triangle onto the upper; the same quadratic form [RB3 §5]."""
    return np.triu(matrix) ^ np.triu(matrix.T, 1)


def change_variables(p, forms, matrix):
    """UT(Mᵗ F M) for each form F of a stack [RB3 §5]."""
    product = p.field.matrix_product
    return np.stack([upper_triangle(product(product(matrix.T.copy(), form), matrix)) for form in forms])


def mix_layers(p, s1, layer1, layer2):
    """layer1 + S1·layer2, coefficient by coefficient: what S does to layer 1, and (S being its own inverse) undoes."""
    mixed = layer1.copy()
    for k in range(p.o1):
        for j in range(p.o2):
            mixed[k] ^= p.field.mul[s1[k, j], layer2[j]]
    return mixed


def evaluate(p, forms, x):
    """Each form at the point x: Σ_{i ≤ j} F[i, j]·x_i·x_j."""
    products = p.field.mul[x[:, None], x[None, :]]
    return np.array([np.bitwise_xor.reduce(p.field.mul[form, products], axis=None) for form in forms], dtype=np.uint8)


# -- keys [RB3 §5] -------------------------------------------------------------------------------------------------------


@dataclass
class Trapdoor:
    """All a signer knows: S1, T1, T3, T4 and the central map as two stacks of forms."""

    sk_seed: bytes
    s1: np.ndarray
    t1: np.ndarray
    t4: np.ndarray
    t3: np.ndarray
    layer1: np.ndarray
    layer2: np.ndarray

    def t(self, p):
        """T; its corner is T2 = T1·T3 + T4 [RB3 §4]."""
        return unit_upper(p, self.t1, p.field.matrix_product(self.t1, self.t3) ^ self.t4, self.t3)

    def t_inverse(self, p):
        return unit_upper(p, self.t1, self.t4, self.t3)


def draw_public_blocks(p, pk_seed):
    """The public blocks that the seed stands for: layer 1: 1, 2; layer 2: 1, 2, 3, 5, 6 [RB3 §5, step 4]."""
    generator = seeded_generator(p.hash, pk_seed)
    layer1, layer2 = zero_forms(p, p.o1), zero_forms(p, p.o2)
    read_blocks(p, layer1, LAYER1_BLOCKS, generator.draw)
    read_blocks(p, layer2, LAYER2_BLOCKS, generator.draw)
    return layer1, layer2


def keep_blocks(p, forms, blocks):
    """The forms with only these blocks left, all others zero."""
    kept = zero_forms(p, len(forms))
    for block in blocks:
        for i, j in p.monomials(block):
            kept[:, i, j] = forms[:, i, j]
    return kept


def generate_trapdoor(p, key_format, sk_seed, pk_seed=None):
    """Steps 2 to 4 of key generation [RB3 §5]; pk_seed is used by the seeded formats only."""
    # Step 2: separate draws, in this order.
    generator = seeded_generator(p.hash, sk_seed)
    s1 = read_matrix(p, p.o1, p.o2, generator.draw)
    t1 = read_matrix(p, p.v1, p.o1, generator.draw)
    t2 = read_matrix(p, p.v1, p.o2, generator.draw)
    t3 = read_matrix(p, p.o1, p.o2, generator.draw)
    t4 = p.field.matrix_product(t1, t3) ^ t2
    if key_format == "classic":
        # Step 3: the same generator goes on, one draw for each block.
        layer1, layer2 = zero_forms(p, p.o1), zero_forms(p, p.o2)
        read_blocks(p, layer1, LAYER1_BLOCKS, generator.draw)
        read_blocks(p, layer2, LAYER2_BLOCKS, generator.draw)
    else:
        # Step 4: F follows from the public blocks; layer 1 is unmixed in its blocks 1 and 2 only.
        public1, public2 = draw_public_blocks(p, pk_seed)
        unmixed1 = keep_blocks(p, mix_layers(p, s1, public1, public2), LAYER1_BLOCKS)
        t_inverse = unit_upper(p, t1, t4, t3)
        layer1 = keep_blocks(p, change_variables(p, unmixed1, t_inverse), LAYER1_BLOCKS)
        layer2 = keep_blocks(p, change_variables(p, public2, t_inverse), LAYER2_BLOCKS)
    return Trapdoor(sk_seed, s1, t1, t4, t3, layer1, layer2)


def public_map(p, trapdoor):
    """P = S ∘ F ∘ T as two stacks of forms [RB3 §5, step 3]."""
    t = trapdoor.t(p)
    layer1 = change_variables(p, trapdoor.layer1, t)
    layer2 = change_variables(p, trapdoor.layer2, t)
    return mix_layers(p, trapdoor.s1, layer1, layer2), layer2


def all_monomials(p):
    return [(i, j) for i in range(p.n) for j in range(i, p.n)]


def write_public_key(p, key_format, layer1, layer2, pk_seed=None):
    """[RB3 §5, Keys]"""
    if key_format == "classic":
        return write_monomials(p, np.concatenate([layer1, layer2]), all_monomials(p))
    return pk_seed + write_blocks(p, layer1, (3, 5, 6, 9)) + write_blocks(p, layer2, (9,))


def read_public_key(p, key_format, public_key):
    """The public map as one stack of m forms, layer 1 first."""
    reader = Reader(public_key)
    if key_format == "classic":
        forms = zero_forms(p, p.m)
        read_monomials(p, forms, all_monomials(p), reader.take)
    else:
        layer1, layer2 = draw_public_blocks(p, reader.take(SEED_BYTES))
        read_blocks(p, layer1, (3, 5, 6, 9), reader.take)
        read_blocks(p, layer2, (9,), reader.take)
        forms = np.concatenate([layer1, layer2])
    reader.finish()
    return forms


def write_secret_key(p, key_format, trapdoor, pk_seed=None):
    """[RB3 §5, Keys]; note pk_seed before sk_seed in the compressed key, and T4 in place of T2."""
    if key_format == "compressed":
        return pk_seed + trapdoor.sk_seed
    matrices = (trapdoor.s1, trapdoor.t1, trapdoor.t4, trapdoor.t3)
    return (
        trapdoor.sk_seed
        + b"".join(write_matrix(p, matrix) for matrix in matrices)
        + write_blocks(p, trapdoor.layer1, LAYER1_BLOCKS)
        + write_blocks(p, trapdoor.layer2, LAYER2_BLOCKS)
    )


def read_secret_key(p, key_format, secret_key):
    reader = Reader(secret_key)
    if key_format == "compressed":
        pk_seed = reader.take(SEED_BYTES)
        sk_seed = reader.take(SEED_BYTES)
        reader.finish()
        return generate_trapdoor(p, key_format, sk_seed, pk_seed)
    sk_seed = reader.take(SEED_BYTES)
    s1 = read_matrix(p, p.o1, p.o2, reader.take)
    t1 = read_matrix(p, p.v1, p.o1, reader.take)
    t4 = read_matrix(p, p.v1, p.o2, reader.take)
    t3 = read_matrix(p, p.o1, p.o2, reader.take)
    layer1, layer2 = zero_forms(p, p.o1), zero_forms(p, p.o2)
    read_blocks(p, layer1, LAYER1_BLOCKS, reader.take)
    read_blocks(p, layer2, LAYER2_BLOCKS, reader.take)
    reader.finish()
    return Trapdoor(sk_seed, s1, t1, t4, t3, layer1, layer2)


def generate_keys(p, key_format, sk_seed, pk_seed=None):
    """(public key, secret key) from the two seeds; the classic format has no pk_seed [RB3 §5]."""
    trapdoor = generate_trapdoor(p, key_format, sk_seed, pk_seed)
    public_key = write_public_key(p, key_format, *public_map(p, trapdoor), pk_seed)
    return public_key, write_secret_key(p, key_format, trapdoor, pk_seed)


def generate_keys_from_random(p, key_format, random):
    """As `generate_keys`, the seeds taken from random(length), sk_seed first [RB3 §5, step 1]."""
    sk_seed = random(SEED_BYTES)
    pk_seed = None if key_format == "classic" else random(SEED_BYTES)
    return generate_keys(p, key_format, sk_seed, pk_seed)


def public_key_from_secret_key(p, key_format, secret_key, pk_seed=None):
    """The public key of a secret key. A circumzenithal secret key does not hold pk_seed, which must then be given."""
    trapdoor = read_secret_key(p, key_format, secret_key)
    if key_format == "compressed":
        pk_seed = secret_key[:SEED_BYTES]
    return write_public_key(p, key_format, *public_map(p, trapdoor), pk_seed)


# -- signing [RB3 §6] ----------------------------------------------------------------------------------------------------


class Signing(NamedTuple):
    """A signature, or None where signing failed, and how often each of the two loops of [RB3 §6] ran."""

    signature: Optional[bytes]
    vinegar_draws: int
    salt_draws: int


def affine_part(p, forms, point, group):
    """(A, c) with forms(point + x) = A·x + c for x in the given group of variables, where `point` is zero.

    True where the forms have no product of two variables of that group, as a layer in its own oil variables.
    Found from the definition alone: c is the value at the point, column j the change when variable j is set to 1.
    """
    constant = evaluate(p, forms, point)
    columns = []
    for variable in group:
        moved = point.copy()
        moved[variable] = 1
        columns.append(evaluate(p, forms, moved) ^ constant)
    return np.stack(columns, axis=1), constant


def sign_with_generator(p, trapdoor, digest, generator):
    """Steps 2 to 5 of [RB3 §6]; `digest` is d, `generator` is PRNG(s)."""
    field = p.field
    vinegar, oil1, oil2 = p.groups
    x = np.zeros(p.n, dtype=np.uint8)
    attempts = vinegar_draws = salt_draws = 0

    # Step 2: vinegar values until the matrix of layer 1 is invertible.
    while True:
        x[vinegar] = field.unpack(generator.draw(field.packed_bytes(p.v1)))
        vinegar_draws += 1
        attempts += 1
        matrix, constant1 = affine_part(p, trapdoor.layer1, x, oil1)
        inverse1 = field.inverse(matrix)
        if attempts == ATTEMPTS_LIMIT:  # step 4: even where this attempt succeeded
            return Signing(None, vinegar_draws, salt_draws)
        if inverse1 is not None:
            break

    # Step 3: salts until the matrix of layer 2 is invertible; the vinegar values are kept.
    while True:
        salt = generator.draw(SALT_BYTES)
        salt_draws += 1
        attempts += 1
        z = field.unpack(expand_hash(p.hash, digest + salt, field.packed_bytes(p.m)))
        y2 = z[p.o1 :]
        y1 = z[: p.o1] ^ field.matrix_vector(trapdoor.s1, y2)
        x[oil1] = field.matrix_vector(inverse1, y1 ^ constant1)
        x[oil2] = 0
        matrix, constant2 = affine_part(p, trapdoor.layer2, x, oil2)
        inverse2 = field.inverse(matrix)
        if attempts == ATTEMPTS_LIMIT:  # step 4
            return Signing(None, vinegar_draws, salt_draws)
        if inverse2 is not None:
            break
    x[oil2] = field.matrix_vector(inverse2, y2 ^ constant2)

    # Step 5.
    w = field.matrix_vector(trapdoor.t_inverse(p), x)
    return Signing(field.pack(w) + salt, vinegar_draws, salt_draws)


def sign_in_detail(p, key_format, secret_key, message):
    """Sign, and say how many attempts it took [RB3 §6]."""
    trapdoor = read_secret_key(p, key_format, secret_key)
    digest = hash_bytes(p.hash, message)
    generator = seeded_generator(p.hash, hash_bytes(p.hash, trapdoor.sk_seed + digest))
    return sign_with_generator(p, trapdoor, digest, generator)


def sign(p, key_format, secret_key, message):
    """The signature of a message, or None where all attempts failed [RB3 §6]."""
    return sign_in_detail(p, key_format, secret_key, message).signature


# -- verification [RB3 §7] -----------------------------------------------------------------------------------------------


def verify(p, key_format, public_key, message, signature):
    """Whether the signature is one of this message under this key [RB3 §7]. A malformed public key is a ValueError."""
    forms = read_public_key(p, key_format, public_key)
    if len(signature) != p.signature_bytes:
        return False
    w, salt = p.field.unpack(signature[:-SALT_BYTES]), signature[-SALT_BYTES:]
    target = expand_hash(p.hash, hash_bytes(p.hash, message) + salt, p.field.packed_bytes(p.m))
    return p.field.pack(evaluate(p, forms, w)) == target
