from typing import Any, Dict, List, Optional


class GuildhallError(Exception):
    """A call that failed, after all attempts."""

    def __init__(
        self,
        message: str,
        code: str,
        status: int = 0,
        retryable: bool = False,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
        details: Optional[Dict[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        details = details or {}
        self.code = code
        #: HTTP status; 0 if there was no answer.
        self.status = status
        #: The same request may succeed later.
        self.retryable = retryable
        #: Do not send the same request again, or try to get around the refusal.
        self.final: bool = details.get("final") is True
        #: Quote it when you ask the operator.
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        #: The cause, where a code has several: for example why `verification_failed`.
        self.reason: Optional[str] = details.get("reason")
        #: With `gate_refused`: every gate that was evaluated.
        self.gates: List[Dict[str, Any]] = details.get("gates") or []
        #: With `invalid_input`: every field that is wrong.
        self.field_errors: List[Dict[str, str]] = details.get("field_errors") or []
        #: With `cursor_expired`: the smallest `after` that misses nothing.
        self.oldest: Optional[int] = details.get("oldest")
        #: Everything that the service says about the error.
        self.details = details


class NetworkError(GuildhallError):
    """There was no answer: look at the resulting state before you try again."""


class TimeoutError(NetworkError):
    """There was no answer in time."""


class BadAnswer(GuildhallError):
    """The answer does not come from this API, but for example from a proxy."""


class MissingCredential(GuildhallError):
    """The call needs a token or key that the client does not have. Nothing was sent."""


class WebhookVerificationError(Exception):
    """A delivery that does not come from the service, or was not sent just now."""


# {{error classes}}


def _error_of(call: str, status: int, headers: Any, body: Optional[Dict[str, Any]]) -> GuildhallError:
    """The error that an answer other than a success stands for."""
    details = (body or {}).get("error")
    details = details if isinstance(details, dict) else {}
    seconds = str(headers.get("Retry-After") or "")
    facts: Dict[str, Any] = {
        "status": status,
        "request_id": (body or {}).get("request_id") or headers.get("X-Request-Id"),
        "retry_after_seconds": int(seconds) if seconds.isdecimal() else details.get("retry_after_seconds"),
        "details": details,
    }
    code = details.get("code")
    if not isinstance(code, str):
        text = f"{call}: the answer ({status}) does not come from this API."
        return BadAnswer(text, "bad_answer", retryable=status >= 502, **facts)
    # A code that is newer than this client is an error like any other.
    kind = _ERROR_CLASSES.get(code, GuildhallError)
    text = f"{call}: {details.get('message') or code} ({status} {code})"
    return kind(text, code, retryable=details.get("retryable") is True, **facts)
