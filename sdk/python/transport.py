import dataclasses
import http.client
import json
import random
import socket
import time
import urllib.error
import urllib.request
from typing import Any, Callable, Dict, Optional

from .errors import BadAnswer, GuildhallError, NetworkError, TimeoutError, _error_of

#: Attempts of one call, the first included.
_ATTEMPTS = 4
#: A service that asks for a longer wait than this gets no further attempt.
_LONGEST_WAIT_SECONDS = 120.0

#: Makes a value of a call's name, its response and the whole body, or raises the error that they stand for.
_Read = Callable[[str, Any, bytes], Any]


@dataclasses.dataclass
class _Sent:
    """One request, serialised once: every attempt sends the same bytes."""

    method: str
    url: str
    headers: Dict[str, str]
    body: Optional[bytes]
    #: May be sent again when the outcome of an attempt is unknown.
    repeatable: bool
    timeout: float
    #: Finds out what became of a call whose outcome is unknown: its answer, or None if it had no effect and can be sent again.
    look_up: Optional[Callable[[], Optional[Dict[str, Any]]]] = None

    @property
    def name(self) -> str:
        return f"{self.method} {urllib.request.Request(self.url).selector.split('?', 1)[0]}"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Redirects are not followed: the credential is for this service only."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Transport:
    def __init__(self, sleep: Callable[[float], Any]) -> None:
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._sleep = sleep

    def call(self, sent: _Sent, read: Optional[_Read] = None) -> Any:
        """Sends a call, and again where that is safe; returns the answer without `ok`, or what `read` makes of it.

        After 429, 503 and `idempotency_in_progress` every call is repeated. Without an answer the outcome is unknown: only
        repeatable calls, and those whose effect can be looked up, are sent again. Never after a final refusal.
        """
        is_unknown = False
        attempt = 1
        while True:
            try:
                return self._exchange(sent, read or _answer_of)
            except GuildhallError as error:
                lost = _is_lost(error)
                # What an earlier attempt without an answer has done is no conflict.
                if sent.look_up and (lost or (is_unknown and error.code == "state_conflict")):
                    try:
                        done = sent.look_up()
                    except GuildhallError:
                        raise error from None
                    if done is not None:
                        return done
                    if not lost:
                        raise
                is_unknown = is_unknown or lost
                wait = _pause_seconds(attempt, error.retry_after_seconds)
                if attempt >= _ATTEMPTS or wait is None or not _may_repeat(error, sent):
                    raise
            self._sleep(wait)
            attempt += 1

    def open(self, sent: _Sent, timeout: float) -> Any:
        """Sends a request once and hands over the response as it is."""
        request = urllib.request.Request(sent.url, sent.body, sent.headers, method=sent.method)
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as answer:
            return answer
        except (OSError, http.client.HTTPException) as problem:
            raise _no_answer(sent, problem) from problem

    def pause(self, attempt: int, retry_after_seconds: Optional[float]) -> None:
        """Waits before another attempt: longer after each."""
        wait = _pause_seconds(attempt, retry_after_seconds)
        self._sleep(_LONGEST_WAIT_SECONDS if wait is None else wait)

    def _exchange(self, sent: _Sent, read: _Read) -> Any:
        deadline = time.monotonic() + sent.timeout
        with self.open(sent, sent.timeout) as response:
            try:
                body = _read(response, deadline)
            except (OSError, http.client.HTTPException, ValueError) as problem:
                raise _no_answer(sent, problem) from problem
            return read(sent.name, response, body)


def _read(response: Any, deadline: float) -> bytes:
    """The whole body. A time-out of a socket counts from its last byte, so a slow one needs a deadline too."""
    length = response.headers.get("Content-Length")
    expected = int(length) if length is not None else None
    body = bytearray()
    while expected is None or len(body) < expected:
        if time.monotonic() >= deadline:
            raise socket.timeout("timed out")
        part = response.read1(65_536)
        if not part and expected is None:
            break
        if not part:
            raise http.client.IncompleteRead(bytes(body))
        body += part
    return bytes(body)


def _answer_of(call: str, response: Any, body: bytes) -> Dict[str, Any]:
    status = response.getcode()
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise _error_of(call, status, response.headers, None)
    # The OpenAPI document is an answer without `ok`.
    if not 200 <= status < 300 or answer.get("ok") is False:
        raise _error_of(call, status, response.headers, answer)
    answer.pop("ok", None)
    return answer


def _no_answer(sent: _Sent, problem: Exception) -> NetworkError:
    reason = problem.reason if isinstance(problem, urllib.error.URLError) else problem
    if isinstance(reason, socket.timeout):
        return TimeoutError(f"{sent.name}: no answer in time.", "timeout", retryable=True)
    return NetworkError(
        f"{sent.name}: no answer ({reason or type(problem).__name__}).", "network_error", retryable=True
    )


def _is_lost(error: GuildhallError) -> bool:
    """Nobody knows whether the call had an effect: no answer came, or a proxy's in place of the service's."""
    return isinstance(error, NetworkError) or (isinstance(error, BadAnswer) and error.retryable)


def _may_repeat(error: GuildhallError, sent: _Sent) -> bool:
    if error.final:
        return False
    if _is_lost(error):
        return sent.repeatable or sent.look_up is not None
    return error.status in (429, 503) or error.code == "idempotency_in_progress"


def _pause_seconds(attempt: int, retry_after_seconds: Optional[float]) -> Optional[float]:
    """Exponential back-off with full jitter, never before Retry-After; None if the service asks for more than two minutes."""
    least = retry_after_seconds or 0.0
    if least > _LONGEST_WAIT_SECONDS:
        return None
    return least + random.random() * min(8.0, 0.25 * 2**attempt)
