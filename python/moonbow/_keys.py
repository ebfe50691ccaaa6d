# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys: making, reading, writing, signing and verifying."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Iterable, List, NoReturn, Optional, Tuple, Union, final

import moonbow._core as _core
from moonbow._algorithms import Algorithm, AlgorithmLike, warn_of
from moonbow._streams import Signer, Verifier

if TYPE_CHECKING:
    from typing_extensions import Buffer

    _Path = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]
    _Passphrase = Union[str, Buffer]

# Pairs that one call verifies together: two walks through the key.
_TOGETHER = 128


def _passphrase_bytes(passphrase: Optional[_Passphrase]) -> Optional[Buffer]:
    return passphrase.encode() if isinstance(passphrase, str) else passphrase


def _form_is_pem(form: str) -> bool:
    if form not in ("pem", "der"):
        raise ValueError(f"expected the form 'pem' or 'der', found {form!r}")
    return form == "pem"


@final
class PublicKey:
    """A public key. Immutable; equal to another with the same algorithm and bytes; can be pickled; any number of threads may
    use it at once. Made by `from_bytes`, `from_pem`, `from_der`, `load` or a secret key's `SecretKey.public_key`.

    Making one of a broken or weakened algorithm warns with `InsecureAlgorithmWarning`.
    """

    __slots__ = ("_key", "algorithm", "_digest")

    #: The key's algorithm.
    algorithm: Algorithm
    _key: _core.Key
    _digest: Optional[bytes]

    def __init__(self) -> None:
        raise TypeError("a PublicKey is made by from_bytes, from_pem, from_der, load, or from a SecretKey")

    @classmethod
    def _of(cls, key: _core.Key, stacklevel: int = 0) -> PublicKey:
        self = cls.__new__(cls)
        self._key = key
        self.algorithm = Algorithm(key.algorithm)
        self._digest = None
        if stacklevel:
            warn_of(self.algorithm, stacklevel + 1)
        return self

    @classmethod
    def from_bytes(cls, algorithm: AlgorithmLike, data: Buffer) -> PublicKey:
        """The key of its raw bytes, `Algorithm.public_key_bytes` of them; they are copied.

        Raises ValueError for an unknown algorithm or another length. Any bytes of the right length are a public key.
        """
        return cls._of(_core.key_of_raw(str(Algorithm(algorithm)), False, data), 2)

    @classmethod
    def from_pem(cls, data: Buffer) -> PublicKey:
        """Reads a SubjectPublicKeyInfo in PEM, or in DER: the two are told apart. Raises KeyFormatError."""
        return cls._of(_core.decode(data, False, None), 2)

    @classmethod
    def from_der(cls, data: Buffer) -> PublicKey:
        """The same as `from_pem`."""
        return cls._of(_core.decode(data, False, None), 2)

    @classmethod
    def load(cls, path: _Path) -> PublicKey:
        """Reads a key file, PEM or DER. Raises KeyFormatError, or OSError if the file cannot be read."""
        return cls._of(_core.load(os.fsencode(path), False, None), 2)

    def verify(self, signature: Buffer, message: Buffer) -> None:
        """Returns if the signature belongs to the message, and raises InvalidSignature if not.

        Both are any C-contiguous buffers (bytes, bytearray, memoryview, mmap, arrays), read where they are while other threads
        run; nobody may change them meanwhile. A buffer with gaps raises BufferError.
        """
        self._key.verify(signature, message)

    def verify_many(
        self, pairs: Iterable[Tuple[Buffer, Buffer]], *, threads: Optional[int] = None
    ) -> List[bool]:
        """Whether each (signature, message) is good, in their order.

        Quicker than `verify` one by one: up to 64 signatures share one walk through the key, and `threads` threads (by
        default, one for each core that this process may use) share the pairs. Nothing is raised for a bad signature.
        The pairs are held in memory until the call ends; hand over a long log in parts.
        """
        todo = list(pairs)
        parts = [todo[start : start + _TOGETHER] for start in range(0, len(todo), _TOGETHER)]
        workers = min(len(parts), available_cores() if threads is None else threads)
        if threads is not None and threads < 1:
            raise ValueError(f"expected at least 1 thread, found {threads}")
        if workers <= 1:
            return [verdict for part in parts for verdict in self._key.verify_batch(part)]
        with ThreadPoolExecutor(workers) as pool:
            return [verdict for verdicts in pool.map(self._key.verify_batch, parts) for verdict in verdicts]

    def verifier(self, signature: Buffer) -> Verifier:
        """Begins to verify a message that comes in pieces. Raises InvalidSignature for a signature of a wrong length."""
        return Verifier._of(self._key.begin_verify(signature))

    def prepare(self) -> PublicKey:
        """The same key in a longer form that is quicker to use, for many calls of `verify`; the key itself where it is in its
        quickest form already. A seeded key (``-pkc``, circumzenithal, compressed) is otherwise expanded by each call."""
        return PublicKey._of(self._key.prepare())

    def fingerprint(self) -> bytes:
        """SHA-256 of the raw key, 32 bytes. The tool `moonbow` shows the beginning."""
        if self._digest is None:
            self._digest = self._key.digest()
        return self._digest

    def to_bytes(self) -> bytes:
        """The raw key: `Algorithm.public_key_bytes` bytes."""
        return self._key.raw()

    def to_pem(self) -> bytes:
        """A SubjectPublicKeyInfo in PEM, as the tool and OpenSSL's provider write it."""
        return _core.encode(self._key, True, None)

    def to_der(self) -> bytes:
        """A SubjectPublicKeyInfo in DER."""
        return _core.encode(self._key, False, None)

    def save(self, path: _Path, *, form: str = "pem", overwrite: bool = False) -> None:
        """Writes a key file, whole or not at all; form is ``"pem"`` or ``"der"``. Raises FileExistsError unless it may
        overwrite, and OSError if it cannot be written."""
        _core.save(self._key, os.fsencode(path), _form_is_pem(form), None, overwrite)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PublicKey):
            return NotImplemented
        return self.algorithm is other.algorithm and self.fingerprint() == other.fingerprint()

    def __hash__(self) -> int:
        return hash((self.algorithm, self.fingerprint()))

    def __repr__(self) -> str:
        return f"<moonbow.PublicKey {self.algorithm} SHA256:{self.fingerprint().hex()[:16]}>"

    def __copy__(self) -> PublicKey:
        return self

    def __deepcopy__(self, memo: object) -> PublicKey:
        return self

    def __reduce__(self) -> Tuple[object, ...]:
        return _restore, (str(self.algorithm), self.to_bytes(), self._key.is_prepared)


def _restore(algorithm: str, raw: bytes, prepared: bool) -> PublicKey:
    """Unpickles a public key; where the key was made a warning was given."""
    key = PublicKey._of(_core.key_of_raw(algorithm, False, raw))
    return key.prepare() if prepared else key


@final
class SecretKey:
    """A secret key, with its public key. Immutable; any number of threads may use it at once.

    The key lies in memory of its own that is left out of core dumps, kept out of swap as far as the process may, and wiped when
    the object is released. It is not shown by repr, and cannot be pickled or copied. What `to_bytes`, `to_pem` and `to_der`
    return are ordinary Python objects, which are not wiped: prefer `load` and `save`, which go past them.

    Making one of a broken or weakened algorithm warns with `InsecureAlgorithmWarning`.
    """

    __slots__ = ("_key", "algorithm", "_public", "_lock")

    #: The key's algorithm.
    algorithm: Algorithm
    _key: _core.Key
    _public: Optional[PublicKey]
    _lock: threading.Lock

    def __init__(self) -> None:
        raise TypeError("a SecretKey is made by generate, from_bytes, from_pem, from_der or load")

    @classmethod
    def _of(cls, key: _core.Key, public: Optional[PublicKey] = None, stacklevel: int = 0) -> SecretKey:
        self = cls.__new__(cls)
        self._key = key
        self.algorithm = Algorithm(key.algorithm)
        self._public = public
        self._lock = threading.Lock()
        if stacklevel:
            warn_of(self.algorithm, stacklevel + 1)
        return self

    @classmethod
    def from_bytes(cls, algorithm: AlgorithmLike, data: Buffer) -> SecretKey:
        """The key of its SECRET raw bytes, as `to_bytes` gives them; they are copied.

        Raises ValueError for an unknown algorithm or another length.
        """
        return cls._of(_core.key_of_raw(str(Algorithm(algorithm)), True, data), stacklevel=2)

    @classmethod
    def from_pem(cls, data: Buffer, passphrase: Optional[_Passphrase] = None) -> SecretKey:
        """Reads a PKCS#8 PrivateKeyInfo, or an EncryptedPrivateKeyInfo with its passphrase (text, taken as UTF-8, or bytes), in
        PEM or in DER: the two are told apart. Raises KeyFormatError, or PassphraseError where a passphrase is needed
        or is wrong. An encrypted key takes a good part of a second."""
        return cls._of(_core.decode(data, True, _passphrase_bytes(passphrase)), stacklevel=2)

    @classmethod
    def from_der(cls, data: Buffer, passphrase: Optional[_Passphrase] = None) -> SecretKey:
        """The same as `from_pem`."""
        return cls._of(_core.decode(data, True, _passphrase_bytes(passphrase)), stacklevel=2)

    @classmethod
    def load(cls, path: _Path, passphrase: Optional[_Passphrase] = None) -> SecretKey:
        """Reads a key file, PEM or DER, without a copy among Python's objects. Raises as `from_pem`, and OSError if the file
        cannot be read."""
        return cls._of(_core.load(os.fsencode(path), True, _passphrase_bytes(passphrase)), stacklevel=2)

    @property
    def public_key(self) -> PublicKey:
        """The public key. If the secret key was read, it is computed at the first use, which takes about as long as making a
        key. Raises KeyFormatError if the secret key contradicts itself: it is damaged."""
        with self._lock:
            if self._public is None:
                self._public = PublicKey._of(self._key.derive_public())
            return self._public

    def sign(self, message: Buffer, *, check: bool = False) -> bytes:
        """The signature of a message: `Algorithm.signature_bytes` bytes.

        The message is any C-contiguous buffer, read where it is while other threads run; nobody may change it
        meanwhile. With ``check`` the signature is verified before it is returned, which protects the key
        against some disturbances of the computation. Raises OperationError.
        """
        if check:
            return self._key.sign_checked(message, self.public_key._key)
        return self._key.sign(message)

    def signer(self) -> Signer:
        """Begins to sign a message that comes in pieces."""
        return Signer._of(self._key.begin_sign())

    def prepare(self) -> SecretKey:
        """The same key in a longer form that is quicker to use, for many signatures; the key itself where it is in its quickest
        form already. A key of 32 or 64 bytes (``-skc``, compressed) is otherwise expanded by each call."""
        prepared = self._key.prepare()
        return self if prepared is self._key else SecretKey._of(prepared, self._public)

    def to_bytes(self) -> bytes:
        """The raw key, SECRET: `Algorithm.secret_key_bytes` bytes, and `Algorithm.public_seed_bytes` more."""
        return self._key.raw()

    def to_pem(self, passphrase: Optional[_Passphrase] = None) -> bytes:
        """A PKCS#8 PrivateKeyInfo in PEM, SECRET; with a passphrase, an EncryptedPrivateKeyInfo (PBES2 with scrypt and AES-256).
        Raises ValueError for a passphrase that is empty or has more than 1024 bytes."""
        return _core.encode(self._key, True, _passphrase_bytes(passphrase))

    def to_der(self, passphrase: Optional[_Passphrase] = None) -> bytes:
        """The same in DER."""
        return _core.encode(self._key, False, _passphrase_bytes(passphrase))

    def save(
        self, path: _Path, passphrase: Optional[_Passphrase] = None, *, form: str = "pem", overwrite: bool = False
    ) -> None:
        """Writes a key file that only its owner may read (mode 0600), whole or not at all; form is ``"pem"`` or ``"der"``. Raises
        FileExistsError unless it may overwrite, and OSError if it cannot be written."""
        _core.save(self._key, os.fsencode(path), _form_is_pem(form), _passphrase_bytes(passphrase), overwrite)

    def __repr__(self) -> str:
        return f"<moonbow.SecretKey {self.algorithm}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a SecretKey is not pickled or copied; write it with save() or to_pem(passphrase)")


def generate(algorithm: AlgorithmLike, *, seed: Optional[Buffer] = None) -> SecretKey:
    """A new secret key, whose `SecretKey.public_key` belongs to it.

    Without a seed the randomness is the operating system's. A seed, SECRET, of `Algorithm.seed_bytes` bytes always gives the same
    key. Raises ValueError for an unknown algorithm or a seed of another length, and OperationError without randomness.
    """
    public_key, secret_key = _core.generate(str(Algorithm(algorithm)), seed)
    return SecretKey._of(secret_key, PublicKey._of(public_key), stacklevel=2)


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
