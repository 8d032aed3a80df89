import dataclasses
import hashlib
import re
import unicodedata
from typing import Any, List, Optional, Tuple

from .canonical import _LARGEST_SAFE
from .webhooks import _from_base64

# Signed notes, checkpoints and proofs of inclusion (c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature, tlog-proof@v1).
# What is read here is None unless it is in its form to the letter.

_NOTE, _COSIGNATURE = 1, 4


@dataclasses.dataclass
class _Vkey:
    name: str
    id: str
    type: int
    public_key: bytes


@dataclasses.dataclass
class _Checkpoint:
    origin: str
    size: int
    root: bytes
    #: The signed text, which ends with a line feed, and the signatures by name, key ID and bytes.
    text: str
    signatures: List[Tuple[str, str, bytes]]


@dataclasses.dataclass
class _Proof:
    index: int
    hashes: List[bytes]
    checkpoint: _Checkpoint
    checkpoint_text: str
    has_extra: bool


class _Signatures:
    """Checks Ed25519 signatures with the package `cryptography`. Without it nothing is checked, which the report says."""

    def __init__(self) -> None:
        try:
            from cryptography.exceptions import InvalidSignature
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        except ImportError:
            self.are_checked = False
        else:
            self.are_checked = True
            self._invalid: Any = InvalidSignature
            self._key: Any = Ed25519PublicKey

    def accept(self, public_key: bytes, signature: bytes, message: bytes) -> bool:
        """Whether the signature is right, or cannot be checked here."""
        if len(public_key) != 32 or len(signature) != 64:
            return False
        if not self.are_checked:
            return True
        try:
            self._key.from_public_bytes(public_key).verify(signature, message)
        except (self._invalid, ValueError):
            return False
        return True


def _read_vkey(text: str, kind: int) -> Optional[_Vkey]:
    found = re.fullmatch(r"([^+]+)\+([0-9a-f]{8})\+(\S+)", text.strip())
    if not found:
        return None
    name, key_id, encoded = found.groups()
    data = _from_base64(encoded)
    if not _is_key_name(name) or data is None or len(data) != 33 or data[0] != kind:
        return None
    if hashlib.sha256(f"{name}\n".encode("utf-8") + data).hexdigest()[:8] != key_id:
        return None
    return _Vkey(name, key_id, kind, data[1:])


def _is_key_name(name: str) -> bool:
    return name != "" and not any(each == "+" or each.isspace() or unicodedata.category(each) == "Cc" for each in name)


def _read_checkpoint(note: str) -> Optional[_Checkpoint]:
    """The checkpoint in a signed note; its signatures have not been checked."""
    if re.search("[\x00-\x09\x0b-\x1f\ud800-\udfff]", note) or "\n\n" not in note or not note.endswith("\n"):
        return None
    end = note.rindex("\n\n")
    text, lines = note[: end + 1], note[end + 2 : -1].split("\n")
    signatures = []
    for line in lines[:65]:
        found = re.fullmatch(r"— (\S+) (\S+)", line)
        data = _from_base64(found.group(2)) if found else None
        if not found or not _is_key_name(found.group(1)) or data is None or len(data) < 5:
            return None
        signatures.append((found.group(1), data[:4].hex(), data[4:]))
    origin, size, root, *extensions = [*text[:-1].split("\n"), "", ""][: max(3, text.count("\n"))]
    count, head = _read_count(size), _from_base64(root)
    if len(lines) > 64 or origin == "" or count is None or head is None or len(head) != 32 or "" in extensions:
        return None
    return _Checkpoint(origin, count, head, text, signatures)


def _read_count(text: str) -> Optional[int]:
    if not re.fullmatch(r"0|[1-9][0-9]{0,15}", text):
        return None
    return int(text) if int(text) <= _LARGEST_SAFE else None


def _read_proof(text: str) -> Optional[_Proof]:
    head, separator, checkpoint_text = text.partition("\n\n")
    checkpoint = _read_checkpoint(checkpoint_text)
    header, *lines = head.split("\n")
    if not separator or header != "c2sp.org/tlog-proof@v1" or not checkpoint:
        return None
    has_extra = bool(lines) and lines[0].startswith("extra ")
    if has_extra and _from_base64(lines.pop(0)[len("extra ") :]) is None:
        return None
    index = _read_count(lines.pop(0)[len("index ") :]) if lines and lines[0].startswith("index ") else None
    hashes = [_from_base64(line) for line in lines[:64]]
    known = [each for each in hashes if each is not None and len(each) == 32]
    # No tree of up to 2^63 leaves needs more than 63.
    if index is None or len(known) != len(lines) or len(known) > 63:
        return None
    return _Proof(index, known, checkpoint, checkpoint_text, has_extra)


def _is_signed_by(checkpoint: _Checkpoint, key: _Vkey, signatures: _Signatures) -> bool:
    """Whether the log's key has signed. A wrong signature beside a right one counts as wrong."""
    if checkpoint.size == 0 and checkpoint.root != hashlib.sha256().digest():
        return False
    found = [data for name, key_id, data in checkpoint.signatures if (name, key_id) == (key.name, key.id)]
    text = checkpoint.text.encode("utf-8")
    return (
        checkpoint.origin == key.name
        and bool(found)
        and all(signatures.accept(key.public_key, each, text) for each in found)
    )


def _cosigned_at(checkpoint: _Checkpoint, witness: _Vkey, signatures: _Signatures) -> Optional[int]:
    """When the witness saw the checkpoint, in seconds since 1970; None if it did not, or a cosignature of its is wrong."""
    newest = None
    for name, key_id, data in checkpoint.signatures:
        if (name, key_id) != (witness.name, witness.id):
            continue
        seconds = int.from_bytes(data[:8], "big")
        text = f"cosignature/v1\ntime {seconds}\n{checkpoint.text}".encode("utf-8")
        is_right = (
            len(data) == 72 and 0 < seconds <= _LARGEST_SAFE and signatures.accept(witness.public_key, data[8:], text)
        )
        if not is_right:
            return None
        newest = max(newest or 0, seconds)
    return newest


def _is_included(entry: bytes, index: int, size: int, hashes: List[bytes], root: bytes) -> bool:
    """Whether the proof leads from the entry to the root (RFC 9162, section 2.1.3.2)."""
    if index >= size:
        return False
    position, last = index, size - 1
    value = hashlib.sha256(b"\x00" + entry).digest()
    for sibling in hashes:
        if last == 0:
            return False
        if position % 2 == 1 or position == last:
            value = hashlib.sha256(b"\x01" + sibling + value).digest()
            while position % 2 == 0 and position != 0:
                position, last = position // 2, last // 2
        else:
            value = hashlib.sha256(b"\x01" + value + sibling).digest()
        position, last = position // 2, last // 2
    return last == 0 and value == root
