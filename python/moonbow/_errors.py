# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The exceptions and the warning of moonbow."""

from __future__ import annotations


class Error(Exception):
    """The base of moonbow's own exceptions. Mistakes in a call raise Python's: TypeError, ValueError, BufferError."""


class InvalidSignature(Error):
    """The signature does not belong to this message and this public key. Also raised for a signature of a wrong length."""


class KeyFormatError(Error, ValueError):
    """This is no key of the expected kind: it is damaged, of an unknown algorithm, secret where public was expected, or not a
    key at all. The text says what was expected and what was found."""


class PassphraseError(KeyFormatError):
    """The secret key is encrypted, and no passphrase was given or the passphrase does not open it."""


class OperationError(Error, RuntimeError):
    """Signing or key generation gave up: the operating system has no randomness, the computation was disturbed, or a signature
    that was to be checked did not verify. Nothing was released."""


class InsecureAlgorithmWarning(UserWarning):
    """A key of an algorithm that is broken or weakened was made or read. The text says what is known against it.

    For reading old signatures: ``warnings.simplefilter("ignore", moonbow.InsecureAlgorithmWarning)``."""
