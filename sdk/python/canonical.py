import hashlib
import json
import math
from typing import Any

_LARGEST_SAFE = 2**53 - 1


def canonical_json(value: Any) -> str:
    """The JSON Canonicalization Scheme (RFC 8785): the text that hashes are of.

    Raises ValueError for what JSON cannot carry: NaN, infinities, lone surrogates, and other types than those of JSON.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(canonical_json(each) for each in value) + "]"
    if not isinstance(value, dict):
        raise ValueError(f"A value of type {type(value).__name__} has no JSON form.")
    if not all(isinstance(key, str) for key in value):
        raise ValueError("The keys of a JSON object are texts.")
    # In the order of UTF-16 code units, as RFC 8785 says; Python compares code points.
    keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{_quoted(key)}:{canonical_json(value[key])}" for key in keys) + "}"


def terms_hash(terms: Any) -> str:
    """`sha256:` and 64 hexadecimal digits: the hash under which these terms are accepted."""
    return _sha256_text(canonical_json(terms))


def _sha256_text(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def _quoted(text: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("A text with a lone surrogate has no canonical form.")
    return json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    """As ECMAScript writes numbers, which it keeps as doubles."""
    if isinstance(value, int) and abs(value) <= _LARGEST_SAFE:
        return str(int(value))
    try:
        value = float(value)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise ValueError(f"{value} has no JSON form.")
    if value == 0:
        return "0"
    # Python's shortest digits are those of ECMAScript; only where the point and the exponent stand differs.
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + ("" if fraction == "0" else fraction)).lstrip("0")
    leading = len(whole + fraction) - len((whole + fraction).lstrip("0"))
    point = int(exponent or 0) + len(whole) - leading
    digits = digits.rstrip("0")
    sign = "-" if value < 0 else ""
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    shown = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{sign}{shown}e{'+' if point > 0 else '-'}{abs(point - 1)}"
