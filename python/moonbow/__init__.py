# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Multivariate post-quantum signatures: UOV, a candidate, and Rainbow, which is broken.

>>> import moonbow
>>> key = moonbow.generate("uov-Is-pkc")
>>> signature = key.sign(b"text")
>>> key.public_key.verify(signature, b"text")  # returns, or raises moonbow.InvalidSignature

None of the algorithms is a standard. `Algorithm` lists them, each with its sizes and what is known against it.
"""

from moonbow._algorithms import Algorithm, Security
from moonbow._core import version as __version__
from moonbow._errors import (
    Error,
    InsecureAlgorithmWarning,
    InvalidSignature,
    KeyFormatError,
    OperationError,
    PassphraseError,
)
from moonbow._keys import PublicKey, SecretKey, generate
from moonbow._streams import Signer, Verifier

__all__ = [
    "Algorithm",
    "Error",
    "InsecureAlgorithmWarning",
    "InvalidSignature",
    "KeyFormatError",
    "OperationError",
    "PassphraseError",
    "PublicKey",
    "SecretKey",
    "Security",
    "Signer",
    "Verifier",
    "__version__",
    "generate",
]
