import base64
import hashlib
import mimetypes
import os
import urllib.parse
from typing import IO, Any, Dict, Optional, Union

from .errors import BadAnswer
from .transport import _answer_of, _Sent

#: What is uploaded: a path, the bytes, or a file that is open for reading bytes.
FileContent = Union[str, "os.PathLike[str]", bytes, IO[bytes]]

#: A slower upload is cut off by the service.
_SLOWEST_BYTES_PER_SECOND = 64 * 1024
_GRACE_SECONDS = 30.0
_LARGEST_BYTES = 25 * 1024 * 1024


class _Files:
    """Files of tasks. guild.jobs.files lists them, and guild.jobs.remove_file removes one."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def upload(
        self,
        content: FileContent,
        *,
        task_id: str,
        purpose: str,
        name: Optional[str] = None,
        media_type: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Dict[str, Any]:
        """Uploads a file with its digest, so that what is stored is what was read: {"file"}. Sending it again gives the same answer.

        content: a path, the bytes, or a file that is open for reading bytes. At most 25 MiB.
        purpose: brief, for what the requester gives, or result, for what the provider delivers.
        name: name of the file. Default: the last part of the path.
        media_type: declared type, such as text/csv. Default: by the name's ending, else application/octet-stream.
        """
        named = name or (os.path.basename(content) if isinstance(content, (str, os.PathLike)) else "")
        if not named:
            raise ValueError("name is missing: the file needs one.")
        body = _read_content(content)
        headers = {
            "Content-Type": media_type or mimetypes.guess_type(named)[0] or "application/octet-stream",
            "Repr-Digest": _digest_of(body),
        }
        query = {"task_id": task_id, "purpose": purpose}
        answer: Dict[str, Any] = self._client._transport.call(
            self._prepare("PUT", named, query, headers, body, timeout or _patience(len(body)))
        )
        return answer

    def download(self, file_id: str, *, timeout: Optional[float] = None) -> bytes:
        """The bytes of a file, which have the digest that the service gave for them."""
        sent = self._prepare("GET", file_id, {}, {}, None, timeout or _patience(_LARGEST_BYTES))
        found: bytes = self._client._transport.call(sent, _bytes_of)
        return found

    def _prepare(
        self,
        method: str,
        part: str,
        query: Dict[str, str],
        headers: Dict[str, str],
        body: Optional[bytes],
        timeout: float,
    ) -> _Sent:
        client = self._client
        secret, _ = client._secret_for("files", "token")
        own = {"public_id": client.public_id} if client.public_id else {}
        address = f"{client.base_url}/api/v1/jobs/files/{urllib.parse.quote(part, safe='')}"
        return _Sent(
            method,
            f"{address}?{urllib.parse.urlencode({**own, **query})}",
            {"User-Agent": _USER_AGENT, "Authorization": f"Bearer {secret}", **headers},
            body,
            repeatable=True,
            timeout=timeout,
        )


def _read_content(content: FileContent) -> bytes:
    if isinstance(content, bytes):
        return content
    if isinstance(content, (str, os.PathLike)):
        with open(content, "rb") as file:
            return file.read()
    return content.read()


def _patience(size: int) -> float:
    return _GRACE_SECONDS + size / _SLOWEST_BYTES_PER_SECOND


def _digest_of(body: bytes) -> str:
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode('ascii')}:"


def _bytes_of(call: str, response: Any, body: bytes) -> bytes:
    if response.getcode() != 200:
        _answer_of(call, response, body)
    if response.headers.get("Repr-Digest") != _digest_of(body):
        raise BadAnswer(f"{call}: the bytes do not have their digest.", "bad_answer", retryable=True)
    return body
