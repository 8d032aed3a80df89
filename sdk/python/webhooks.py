import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Mapping, Optional, Union

from .errors import WebhookVerificationError


def verify_webhook(
    headers: Mapping[str, str],
    body: Union[str, bytes],
    secret: str,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """Checks a delivery as Standard Webhooks 1.0.0 says: its signature under the secret, and that it was sent just now.

    Returns the event, or raises WebhookVerificationError. `body` must be exactly what was received, before any parsing.
    Deliveries come at least once: remember each event's `event_id`, and ignore repetitions.
    """
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise WebhookVerificationError(f"The header {name} is missing.")
    key = _from_base64(secret[len("whsec_") :]) if secret.startswith("whsec_") else None
    if not key:
        raise WebhookVerificationError("The secret is not a webhook secret (whsec_…).")
    sent = given["webhook-timestamp"]
    is_time = sent.isascii() and sent.isdigit() and len(sent) <= 12
    if not is_time or abs((time.time() if now is None else now) - int(sent)) > tolerance_seconds:
        raise WebhookVerificationError("The delivery was not sent just now: it is too old, or a clock is wrong.")
    raw = body.encode("utf-8") if isinstance(body, str) else body
    signed = f"{given['webhook-id']}.{sent}.".encode("utf-8") + raw
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # While a secret is being replaced there are two signatures.
    offered = [each.encode("utf-8", "replace") for each in given["webhook-signature"].split(" ")]
    if not any([hmac.compare_digest(each, expected) for each in offered]):
        raise WebhookVerificationError("The signature does not match this secret and body.")
    return json.loads(raw)["data"]


def _from_base64(text: str) -> Optional[bytes]:
    """None unless the text is the one standard base64 encoding of some bytes."""
    try:
        value = base64.b64decode(text.encode("ascii"), validate=True)
    except (ValueError, binascii.Error):
        return None
    return value if base64.b64encode(value).decode("ascii") == text else None


def _from_base64url(text: str) -> Optional[bytes]:
    """None unless the text is the one unpadded base64url encoding of some bytes."""
    if "+" in text or "/" in text or "=" in text:
        return None
    standard = text.replace("-", "+").replace("_", "/")
    return _from_base64(standard + "=" * (-len(standard) % 4))
