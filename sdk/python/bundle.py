import json
import re
import unicodedata
from typing import Any, Dict, List, Tuple, Union

from .canonical import _LARGEST_SAFE

# The form of an evidence file. What is read here has been proved by nothing yet.

_Json = Dict[str, Any]
_SHA256 = re.compile(r"sha256:[0-9a-f]{64}")
_TIME = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-4]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII)
#: The lists of texts that have entries of their own: the events of these entries, the fact with the hash, and what they are.
_SAID = {
    "dispute_statements": ("dispute.statement", "statement_hash", "dispute statement"),
    "clarifications": ("task.clarified", "text_hash", "clarification"),
}
_MEMBERS = ("type", "log", "event", "at", "chain", "n", "prev", "actor", "facts", "salt")


class _BundleError(Exception):
    def __init__(self, verdict: str, problem: str) -> None:
        super().__init__(problem)
        self.verdict = verdict


def _parse(text: Union[str, bytes]) -> Any:
    """JSON in which no object names a member twice: readers would disagree about which of the two counts."""

    def members(pairs: List[Tuple[str, Any]]) -> _Json:
        value = dict(pairs)
        if len(value) != len(pairs):
            raise ValueError("A member stands twice in one object.")
        return value

    def refuse(name: str) -> Any:
        raise ValueError(f"{name} is not JSON.")

    try:
        return json.loads(text, object_pairs_hook=members, parse_constant=refuse)
    except ValueError as problem:
        raise _BundleError("unreadable", f"The file is not JSON: {problem}") from None


def _need(condition: Any, problem: str) -> None:
    if not condition:
        raise _BundleError("broken", problem)


def _read_bundle(value: Any) -> _Json:
    """Unknown top-level members are ignored; anywhere else they are refused, because nothing vouches for them."""
    if not isinstance(value, dict) or value.get("type") != "guildhall.evidence/1":
        raise _BundleError("unreadable", 'This is not an evidence file: its "type" is not guildhall.evidence/1.')
    is_framed = value.get("ok", True) is True and value.get("content_trust", "untrusted") == "untrusted"
    _need(is_framed, "The file's frame has been changed.")
    _need(_is_time(value.get("made_at")), '"made_at" is not a time.')
    chain: Any = value.get("chain")
    statements: Any = value.get("statements")
    proofs: Any = value.get("proofs")
    _need(isinstance(chain, str) and chain, '"chain" is missing.')
    _need(isinstance(statements, list) and isinstance(proofs, list), '"statements" and "proofs" must be lists.')
    _need(len(statements) == len(proofs), "There must be as many proofs as statements.")
    _need(all(each is None or isinstance(each, str) for each in proofs), "A proof is neither text nor null.")
    log: Any = value.get("log")
    _need(isinstance(log, dict), '"log" is missing.')
    previous = log.get("previous", [])
    current = {name: each for name, each in log.items() if name != "previous"}
    _need(_is_log(current), '"log" must have an origin and a vkey.')
    is_history = isinstance(previous, list) and all(_is_log(each) for each in previous)
    _need(is_history, '"log.previous" must list logs by origin and vkey.')
    for place, each in enumerate(statements, 1):
        _check_statement(each, place)
    attached: Any = value.get("attachments")
    _need(
        _is_exactly(attached, "terms", "brief", "result"),
        '"attachments" must have terms, brief and result, and nothing else.',
    )
    terms = attached["terms"]
    _need(
        isinstance(terms, dict) and all(isinstance(each, str) for each in terms.values()),
        '"attachments.terms" must hold texts.',
    )
    for name in ("brief", "result"):
        is_right = attached[name] is None or (
            _is_exactly(attached[name], "salt", "text") and _is_salted(attached[name])
        )
        _need(is_right, f'"attachments.{name}" must be null or have a salt and a text.')
    said: _Json = {}
    for name in _SAID:
        said[name] = [] if value.get(name) is None else value[name]
        are_said = isinstance(said[name], list) and all(
            _is_exactly(each, "n", "salt", "text") and _is_whole(each["n"]) and _is_salted(each) for each in said[name]
        )
        _need(are_said, f'"{name}" must list texts, each with its n and salt.')
    files: Any = [] if value.get("files") is None else value["files"]
    are_files = isinstance(files, list) and all(_is_file(each) for each in files)
    _need(are_files, '"files" must list files, each with its n, purpose, name, size and sha256.')
    return {
        "log": {**current, "previous": previous},
        "chain": chain,
        "statements": statements,
        "proofs": proofs,
        "attachments": attached,
        "said": said,
        "files": files,
    }


def _check_statement(value: Any, place: int) -> None:
    if _is_exactly(value, "n", "erased"):
        return _need(
            _is_whole(value["n"]) and _is_sha256(value["erased"]), f"Entry {place} is neither whole nor erased."
        )
    _need(_is_exactly(value, *_MEMBERS), f"Entry {place} lacks a member or has one too many.")
    actor, facts, salt = value["actor"], value["facts"], value["salt"]
    is_right = (
        value["type"] == "guildhall.statement/1"
        and all(isinstance(value[name], str) for name in ("log", "event", "chain", "salt"))
        and _is_time(value["at"])
        and _is_whole(value["n"])
        and (value["prev"] is None or _is_sha256(value["prev"]))
        and _is_exactly(actor, "kind", "public_id")
        and isinstance(actor["kind"], str)
        and (actor["public_id"] is None or isinstance(actor["public_id"], str))
        and isinstance(facts, dict)
        and all(isinstance(facts.get(name, ""), str) for name in ("contract_id", "settlement_id"))
        and re.fullmatch(r"[A-Za-z0-9_-]{21}[AQgw]", salt)
    )
    _need(is_right, f"Entry {place} has a member of the wrong form.")


def _is_exactly(value: Any, *members: str) -> bool:
    return isinstance(value, dict) and set(value) == set(members)


def _is_salted(value: _Json) -> bool:
    return isinstance(value["salt"], str) and isinstance(value["text"], str)


def _is_file(value: Any) -> bool:
    return (
        _is_exactly(value, "n", "purpose", "name", "size", "sha256")
        and value["purpose"] in ("brief", "result")
        and isinstance(value["name"], str)
        and _is_whole(value["n"])
        and _is_whole(value["size"])
        and _is_sha256(value["sha256"])
    )


def _is_log(value: Any) -> bool:
    if not _is_exactly(value, "origin", "vkey") or not isinstance(value["origin"], str):
        return False
    return value["vkey"] is None or isinstance(value["vkey"], str)


def _is_whole(value: Any) -> bool:
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and abs(value) <= _LARGEST_SAFE
        and value == int(value)
    )


def _is_pence(value: Any) -> bool:
    return _is_whole(value) and value >= 0


def _is_time(value: Any) -> bool:
    return isinstance(value, str) and _TIME.fullmatch(value) is not None


def _is_sha256(value: Any) -> bool:
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def _is_erased(statement: _Json) -> bool:
    return "erased" in statement


def _visible(text: str) -> str:
    """Without control characters, which could rewrite a terminal."""
    return "".join(each for each in text if unicodedata.category(each) not in ("Cc", "Cf", "Zl", "Zp"))
