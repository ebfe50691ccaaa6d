# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Messages that come in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, Optional, Protocol, final

import moonbow._core as _core

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Readable(Protocol):
    """A file opened in binary mode, or anything with such a `read`."""

    def read(self, size: int, /) -> Optional[bytes]:
        """At most so many bytes; none at the end; None if there are none yet."""


# Of a file, at once. The interpreter's lock is free while a piece is hashed.
_PIECE_BYTES = 1 << 18


class _Stream:
    __slots__ = ("_stream",)
    _stream: _core.Stream

    def __init__(self) -> None:
        raise TypeError("made by SecretKey.signer() or PublicKey.verifier()")

    def update(self, piece: Buffer) -> None:
        """Adds a piece of the message, of any length: any C-contiguous buffer.

        Raises ValueError after the end, and RuntimeError while another thread is in a call of the same object.
        """
        self._stream.update(piece)

    def update_from(self, file: Readable) -> None:
        """Adds the rest of a file that was opened in binary mode."""
        while True:
            piece = file.read(_PIECE_BYTES)
            if piece is None:
                raise BlockingIOError("the file does not block and has nothing yet")
            if not piece:
                return
            self.update(piece)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} is neither pickled nor copied")


@final
class Signer(_Stream):
    """Signs a message that comes in pieces; made by `SecretKey.signer`. One thread at a time."""

    __slots__ = ()

    @classmethod
    def _of(cls, stream: _core.Stream) -> Signer:
        self = cls.__new__(cls)
        self._stream = stream
        return self

    def finish(self) -> bytes:
        """The signature, and the end of this object. Raises OperationError; ValueError after the end."""
        signature = self._stream.finish()
        assert signature is not None  # of a stream that signs
        return signature


@final
class Verifier(_Stream):
    """Verifies a message that comes in pieces; made by `PublicKey.verifier`. One thread at a time.

    What was handed over is not to be trusted before `finish` has returned.
    """

    __slots__ = ()

    @classmethod
    def _of(cls, stream: _core.Stream) -> Verifier:
        self = cls.__new__(cls)
        self._stream = stream
        return self

    def finish(self) -> None:
        """Returns if the signature belongs to the message, raises InvalidSignature if not; the end of this object. Raises
        ValueError after the end."""
        self._stream.finish()
