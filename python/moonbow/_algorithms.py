# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The registry of algorithms."""

from __future__ import annotations

import enum
import warnings
from typing import NamedTuple, Union

import moonbow._core as _core
from moonbow._errors import InsecureAlgorithmWarning


class Security(enum.Enum):
    """What is known against an algorithm. Show it wherever someone chooses one."""

    BROKEN = "broken"  #: keys have been recovered in practice
    LEGACY = "legacy"  #: weakened or withdrawn; reads old signatures, not for new systems
    CANDIDATE = "candidate"  #: under study in a running selection; not a standard


class _Facts(NamedTuple):
    name: str
    title: str
    caution: str
    security: str
    public_key_bytes: int
    secret_key_bytes: int
    signature_bytes: int
    seed_bytes: int
    public_seed_bytes: int


_FACTS = {facts.name: facts for facts in (_Facts(*row) for row in _core.algorithms())}


class Algorithm(enum.Enum):
    """A signature algorithm: a parameter set in one key format.

    ``for algorithm in Algorithm`` goes through all of them; ``Algorithm("uov-Is-pkc")`` finds one by its name and raises
    ValueError for an unknown name. ``str(algorithm)`` is the name. All sizes are in bytes, of raw keys and signatures.
    """

    UOV_IP = "uov-Ip"
    UOV_IP_PKC = "uov-Ip-pkc"
    UOV_IP_PKC_SKC = "uov-Ip-pkc-skc"
    UOV_IS = "uov-Is"
    UOV_IS_PKC = "uov-Is-pkc"
    UOV_IS_PKC_SKC = "uov-Is-pkc-skc"
    UOV_III = "uov-III"
    UOV_III_PKC = "uov-III-pkc"
    UOV_III_PKC_SKC = "uov-III-pkc-skc"
    UOV_V = "uov-V"
    UOV_V_PKC = "uov-V-pkc"
    UOV_V_PKC_SKC = "uov-V-pkc-skc"
    RAINBOW_I_CLASSIC = "rainbow-I-classic"
    RAINBOW_I_CIRCUMZENITHAL = "rainbow-I-circumzenithal"
    RAINBOW_I_COMPRESSED = "rainbow-I-compressed"
    RAINBOW_III_CLASSIC = "rainbow-III-classic"
    RAINBOW_III_CIRCUMZENITHAL = "rainbow-III-circumzenithal"
    RAINBOW_III_COMPRESSED = "rainbow-III-compressed"
    RAINBOW_V_CLASSIC = "rainbow-V-classic"
    RAINBOW_V_CIRCUMZENITHAL = "rainbow-V-circumzenithal"
    RAINBOW_V_COMPRESSED = "rainbow-V-compressed"
    RAINBOW_I_CLASSIC_TWEAKED = "rainbow-I-classic-tweaked"
    RAINBOW_I_CIRCUMZENITHAL_TWEAKED = "rainbow-I-circumzenithal-tweaked"
    RAINBOW_I_COMPRESSED_TWEAKED = "rainbow-I-compressed-tweaked"

    def __str__(self) -> str:
        return self.value

    @property
    def _facts(self) -> _Facts:
        return _FACTS[self.value]

    @property
    def title(self) -> str:
        """The designers' notation, such as ``"RAINBOW(16,36,32,32) - classic"``."""
        return self._facts.title

    @property
    def security(self) -> Security:
        """What is known against it, in one word."""
        return Security(self._facts.security)

    @property
    def caution(self) -> str:
        """What a user must be told before choosing it: one or more English sentences."""
        return self._facts.caution

    @property
    def public_key_bytes(self) -> int:
        """Length of `PublicKey.to_bytes`."""
        return self._facts.public_key_bytes

    @property
    def secret_key_bytes(self) -> int:
        """Length of the raw secret key. `SecretKey.to_bytes` has `public_seed_bytes` more."""
        return self._facts.secret_key_bytes

    @property
    def signature_bytes(self) -> int:
        """Length of every signature."""
        return self._facts.signature_bytes

    @property
    def seed_bytes(self) -> int:
        """Length of the seed that `generate` takes."""
        return self._facts.seed_bytes

    @property
    def public_seed_bytes(self) -> int:
        """Length of the beginning of the public key that is kept with the secret key, from which the public key could not be
        computed otherwise; mostly 0."""
        return self._facts.public_seed_bytes


AlgorithmLike = Union[Algorithm, str]


def warn_of(algorithm: Algorithm, stacklevel: int) -> None:
    """Warns of a broken or weakened algorithm, at the caller of the public function."""
    if algorithm.security is not Security.CANDIDATE:
        warnings.warn(f"{algorithm}: {algorithm.caution}", InsecureAlgorithmWarning, stacklevel=stacklevel + 1)
