import datetime
import json
import re
from typing import Any, Dict, Iterable, List, Optional, Tuple, Union

from .bundle import _SAID, _BundleError, _is_erased, _is_pence, _Json, _parse, _read_bundle, _visible
from .canonical import _sha256_text, canonical_json
from .tlog import _COSIGNATURE, _NOTE, _cosigned_at, _is_included, _is_signed_by, _read_proof, _read_vkey, _Signatures
from .webhooks import _from_base64url


def verify_evidence(
    evidence: Union[str, bytes, _Json],
    key: Optional[str] = None,
    witnesses: Iterable[str] = (),
    files: Optional[Dict[str, str]] = None,
) -> _Json:
    """Verifies an evidence file without any network: the chain of statements, their proofs, the log's signature, the attachments,
    the agreement and the parties' signatures.

    `key` is the log's verifier key, not taken from the file. `files` has the hashes (sha256:...) of files of yours by name, which
    are compared with those that the evidence names. The report's `verdict` is `proved` (every entry is in the log of
    that key), `consistent` (without a key, not all logged yet, or signatures not checked), `broken` or `unreadable`. Signatures
    are checked with the package `cryptography`; without it `signatures_checked` is False and nothing is proved.
    """
    given = None if key is None else _read_vkey(key, _NOTE)
    if key is not None and not given:
        return _failed("unreadable", "The key is not a log's verifier key (name+id+base64).")
    witness_keys = [_read_vkey(each, _COSIGNATURE) for each in witnesses]
    if None in witness_keys:
        return _failed("unreadable", "A witness's key is not a witness's verifier key.")
    try:
        value = _parse(evidence) if isinstance(evidence, (str, bytes)) else evidence
        return _verify(_read_bundle(value), given, witness_keys, files or {})
    except _BundleError as problem:
        return _failed(problem.verdict, str(problem))
    except RecursionError:
        return _failed("broken", "The file is nested too deeply.")
    except UnicodeEncodeError:
        return _failed("broken", "A text in the file has a lone surrogate.")


def _verify(bundle: _Json, given: Any, witness_keys: List[Any], own_files: Dict[str, str]) -> _Json:
    log, statements = bundle["log"], bundle["statements"]
    named = None if log["vkey"] is None else _read_vkey(log["vkey"], _NOTE)
    if log["vkey"] is not None and (not named or named.name != log["origin"] or log["vkey"] != log["vkey"].strip()):
        return _failed("broken", "The key in the file is not a verifier key of the log in the file.")
    if given and (not named or (given.name, given.id) != (named.name, named.id)):
        return _failed("broken", f"The file is from {log['origin']}, not from the log whose key you gave.")
    signatures = _Signatures()
    hashes, problems = _check_chain(bundle)
    checkpoint, included = _check_inclusion(hashes, bundle["proofs"], given or named, signatures, problems)
    terms = _check_attachments(bundle, problems)
    _check_agreements(statements, terms, problems)
    criteria = _check_criteria(bundle, terms, problems)
    files = _check_files(bundle, terms, own_files, problems)
    signed = _check_party_signatures(statements, signatures, problems)
    about = {
        "chain": _visible(bundle["chain"]),
        "log": {"origin": _visible(log["origin"]), "vkey": log["vkey"], "key_given": given is not None},
        "signatures_checked": signatures.are_checked,
        "tree_size": checkpoint.size if checkpoint else None,
        "files": files,
        "statements": [
            {
                "n": each["n"],
                "event": None if _is_erased(each) else _visible(each["event"]),
                "at": None if _is_erased(each) else each["at"],
                "state": "erased" if _is_erased(each) else "in_log" if at < included else "waiting",
            }
            for at, each in enumerate(statements)
        ],
    }
    if problems:
        return {**_failed("broken", *problems), **about}
    is_whole = bool(statements) and included == len(statements)
    is_proved = given is not None and is_whole and signatures.are_checked
    seen = [(each.name, _cosigned_at(checkpoint, each, signatures)) for each in witness_keys] if checkpoint else []
    witnessed = [(name, at) for name, at in seen if at is not None] if signatures.are_checked else []
    return {
        **_report("proved" if is_proved else "consistent", _summary(bundle, included, given, signatures)),
        **about,
        "proved": _proved(bundle, checkpoint, included, terms, signed, witnessed)
        + criteria["proved"]
        + [
            _visible(f"The {each['purpose']} file {each['name']} is the one that entry {each['n']} names.")
            for each in files
            if each["state"] == "matches"
        ]
        if signatures.are_checked
        else [],
        "asserted": _asserted(bundle, signed) + criteria["asserted"],
        "not_proved": _not_proved(bundle, checkpoint, given, witnessed, signatures) + _NEVER_PROVED,
    }


_NEVER_PROVED = [
    "That the result is good, or that anything happened outside the platform.",
    "That nothing came after the last entry shown here.",
]


def _report(verdict: str, summary: str) -> _Json:
    empty: _Json = {name: [] for name in ("statements", "files", "proved", "asserted", "not_proved", "problems")}
    return {"verdict": verdict, "summary": summary, "chain": None, "log": None, "tree_size": None, **empty}


def _failed(verdict: str, *problems: str) -> _Json:
    is_broken = verdict == "broken"
    summary = (
        "Broken: do not rely on this file." if is_broken else "Unreadable: this cannot be verified as an evidence file."
    )
    shown = [_visible(each) for each in problems]
    return {**_report(verdict, summary), "problems": shown, "not_proved": list(_NEVER_PROVED) if is_broken else []}


def _summary(bundle: _Json, included: int, given: Any, signatures: _Signatures) -> str:
    count = len(bundle["statements"])
    if count == 0:
        return "The file has no entries, so it proves nothing."
    if included < count:
        return f"Consistent, but {count - included} of {count} entries are not in a checkpoint yet. Download the file again in a few seconds."
    if not signatures.are_checked:
        return "Consistent, but no signature was checked. Install the package cryptography, then verify again."
    if not given:
        return (
            "Consistent, but against the key in the file itself. Verify again with the key that the platform published."
        )
    return f"Proved: all {count} entries are in the log of {_visible(given.name)}, unchanged."


def _proved(
    bundle: _Json, checkpoint: Any, included: int, terms: _Json, signed: List[_Json], witnessed: List[Any]
) -> List[str]:
    if not checkpoint:
        return []
    erased = sum(1 for each in bundle["statements"] if _is_erased(each))
    tree = f"are in the tree of {checkpoint.size} entries that {checkpoint.origin} signed"
    found = [f"The first {included} entries of this chain {tree}. None of them was changed, left out or added later."]
    if erased:
        found.append(f"{erased} of them were erased or withheld: that they exist is proved, what they say is not.")
    if bundle["attachments"]["brief"]:
        found.append("The brief is the text that was recorded when the task was created.")
    if terms:
        each = "" if erased else ", and each acceptance names them by their hash"
        found.append(f"The terms are those that were proposed{each}.")
    if bundle["attachments"]["result"]:
        # An entry that is missing may be a later result.
        found.append(f"The result is the text that was submitted{' with one of the entries' if erased else ' last'}.")
    for name, (_, _, words) in _SAID.items():
        if bundle["said"][name]:
            found.append(f"Each {words} in this file is as it was written.")
    found += [
        f"Entry {each['n']} was signed with the key {each['key']}, which the platform lists for {each['public_id']}."
        for each in signed
    ]
    for name, at in witnessed:
        time = datetime.datetime.fromtimestamp(min(at, 253402300799), datetime.timezone.utc)
        found.append(f"The witness {name} saw this tree at {time.isoformat()}.")
    return [_visible(each) for each in found]


def _asserted(bundle: _Json, signed: List[_Json]) -> List[str]:
    rest = len(bundle["statements"]) - len(signed)
    if rest <= 0:
        return []
    words = "1 entry is" if rest == 1 else f"{rest} entries are"
    return [
        _visible(
            f"{words} asserted by the platform ({bundle['log']['origin']}): who acted, when, and what was recorded."
        )
    ]


def _not_proved(bundle: _Json, checkpoint: Any, given: Any, witnessed: List[Any], signatures: _Signatures) -> List[str]:
    found = []
    if not signatures.are_checked:
        found.append("That the log or a party signed any of this: signatures were not checked.")
    if not given:
        found.append(f"That the key in the file is the key of {bundle['log']['origin']}.")
    if not checkpoint:
        found.append("That any of this is in a log.")
    if any(_is_erased(each) for each in bundle["statements"]):
        found.append(
            "What the missing entries say. Any of them may change what the others mean: it may be a later result."
        )
    if not witnessed:
        found.append("That the platform shows everyone the same log: no witness that you trust has cosigned this tree.")
    return [_visible(each) for each in found]


def _check_chain(bundle: _Json) -> Tuple[List[str], List[str]]:
    """The hash of each statement, and what is wrong: each must name the one before it."""
    problems: List[str] = []
    hashes: List[str] = []
    # A name that stands there twice keeps its first place.
    logs = [*bundle["log"]["previous"], bundle["log"]]
    places = {log["origin"]: at for at, log in reversed(list(enumerate(logs)))}
    newest = 0
    for place, statement in enumerate(bundle["statements"], 1):
        if statement["n"] != place:
            problems.append(f"Entry {place} is numbered {statement['n']}.")
        previous = hashes[-1] if hashes else None
        if _is_erased(statement):
            hashes.append(statement["erased"])
            continue
        hashes.append(_hash_of(statement) or "")
        if not hashes[-1]:
            problems.append(f"Entry {place} has no canonical form.")
        if statement["prev"] != previous:
            problems.append(f"Entry {place} does not follow the entry before it.")
        if statement["chain"] != bundle["chain"]:
            problems.append(f"Entry {place} belongs to {statement['chain']}, not to {bundle['chain']}.")
        if places.get(statement["log"], -1) < newest:
            problems.append(f"Entry {place} was made for another log: {statement['log']}.")
        else:
            newest = places[statement["log"]]
    return hashes, problems


def _check_inclusion(
    hashes: List[str], proofs: List[Optional[str]], key: Any, signatures: _Signatures, problems: List[str]
) -> Tuple[Any, int]:
    """Each statement must be in the tree of the one checkpoint that the key has signed; those after them wait for a checkpoint."""
    included = proofs.index(None) if None in proofs else len(proofs)
    if any(each is not None for each in proofs[included:]):
        problems.append(f"Entry {included + 1} has no proof, but one after it does.")
    if included == 0:
        return None, 0
    if not key:
        problems.append("There are proofs, but the log has no key.")
        return None, 0
    parsed = [_read_proof(each or "") for each in proofs[:included]]
    first = parsed[0]
    if not first or not _is_signed_by(first.checkpoint, key, signatures):
        problems.append(
            f"The checkpoint is not signed with the key of {key.name}."
            if first
            else "The first proof is not a c2sp.org/tlog-proof@v1 text."
        )
        return None, 0
    size, root, last = first.checkpoint.size, first.checkpoint.root, -1
    for place, (proof, value) in enumerate(zip(parsed, hashes), 1):
        if not proof or proof.has_extra:
            problems.append(f"Entry {place} has a proof that is not in the expected form.")
        elif proof.checkpoint_text != first.checkpoint_text:
            problems.append(f"Entry {place} is proved against another checkpoint than the first.")
        elif not value or not _is_included(
            bytes.fromhex(value[len("sha256:") :]), proof.index, size, proof.hashes, root
        ):
            problems.append(f"Entry {place} is not in the log in this form: it or its proof has been changed.")
        elif proof.index <= last:
            problems.append(f"Entry {place} appears in the log before the entry it follows.")
        last = proof.index if proof else last
    return first.checkpoint, included


def _check_attachments(bundle: _Json, problems: List[str]) -> _Json:
    """The terms whose hash a statement names. A file has all attachments, or (for outsiders) none."""
    whole = [each for each in bundle["statements"] if not _is_erased(each)]
    attached = bundle["attachments"]
    proposed = {
        each["facts"].get("contract_id", ""): each["facts"].get("terms_hash")
        for each in whole
        if each["event"] == "contract.proposed"
    }
    if attached["terms"] or attached["brief"] is not None or attached["result"] is not None:
        for name, event, fact in (("brief", "task.created", "brief_hash"), ("result", "task.submitted", "result_hash")):
            hashes = [each["facts"].get(fact) for each in whole if each["event"] == event]
            problem = _problem_of_text(attached[name], hashes[-1] if hashes else None)
            if problem:
                problems.append(f"The {name} {problem}")
        problems += [f"The terms of {each} are missing." for each in proposed if each not in attached["terms"]]
    terms = {}
    for contract_id, text in attached["terms"].items():
        read = _read_terms(text) if _has_hash(text, proposed.get(contract_id)) else None
        if read and read.get("contract_id") == contract_id and read.get("task_id") == bundle["chain"]:
            terms[contract_id] = read
        else:
            problems.append(f"The terms of {contract_id} are not those that were proposed.")
    for name, (event, fact, words) in _SAID.items():
        said = {each["n"]: each["facts"].get(fact) for each in whole if each["event"] == event}
        for each in bundle["said"][name]:
            problem = _problem_of_text({"salt": each["salt"], "text": each["text"]}, said.get(each["n"]))
            if problem:
                problems.append(f"Entry {each['n']}: the {words} {problem}")
    return terms


def _problem_of_text(attachment: Optional[_Json], expected: Any) -> Optional[str]:
    if attachment is None:
        return None if expected is None else "is missing."
    if expected is None:
        return "is not named by any entry."
    return None if _hash_of(attachment) == expected else "is not the text whose hash was recorded."


def _read_terms(text: str) -> Optional[_Json]:
    """None unless the text is canonical and says what terms must say."""
    try:
        terms = json.loads(text)
        if canonical_json(terms) != text or not isinstance(terms, dict):
            return None
    except (ValueError, RecursionError):
        return None
    policy = terms.get("fee_policy")
    is_right = (
        isinstance(terms.get("requester"), dict)
        and isinstance(terms.get("provider"), dict)
        and isinstance(policy, dict)
        and _is_pence(terms.get("amount_pence"))
        and _is_pence(policy.get("bps"))
        and policy["bps"] <= 10_000
    )
    return terms if is_right else None


def _check_agreements(statements: List[_Json], terms: _Json, problems: List[str]) -> None:
    """Acceptances of the terms that were proposed, by two parties, and a settlement that follows them. Where a statement has been
    erased, what it said is not required."""
    has_gaps = any(_is_erased(each) for each in statements)
    proposed: _Json = {}
    accepted: Dict[Any, List[Any]] = {}
    recorded: _Json = {}
    #: When the requester last prepared an acceptance that it has not taken back.
    prepared_at: Any = None
    for statement in statements:
        if _is_erased(statement):
            continue
        event, facts, n = statement["event"], statement["facts"], statement["n"]
        contract_id = facts.get("contract_id")
        frozen = terms.get(contract_id)
        if event == "contract.proposed":
            proposed[contract_id] = facts.get("terms_hash")
        by, parties = facts.get("by"), accepted.setdefault(contract_id, [])
        if event in ("task.created", "task.prepared"):
            prepared_at = facts.get("prepared_at") if facts.get("accept") is True else None
        if event in ("contract.accepted", "contract.signed"):
            expected = proposed.get(contract_id)
            if (
                not has_gaps
                if expected is None
                else not isinstance(expected, str) or facts.get("terms_hash") != expected
            ):
                problems.append(f"Entry {n}: the terms that were accepted are not those that were proposed.")
            party = frozen[by] if frozen and by in ("requester", "provider") else {}
            if frozen and statement["actor"]["public_id"] != party.get("public_id"):
                problems.append(f"Entry {n}: someone else than the party accepted the terms.")
        if event == "contract.signed" and by not in parties and not has_gaps:
            problems.append(f"Entry {n}: an acceptance was signed that is not there.")
        if event == "contract.accepted":
            was_prepared = by == "requester" and facts.get("prepared_at") == prepared_at
            if "prepared_at" in facts and not has_gaps and not was_prepared:
                problems.append(f"Entry {n}: the acceptance was not prepared when it says.")
            if by in parties:
                problems.append(f"Entry {n}: the same party accepted twice.")
            parties.append(by)
        if event.startswith("settlement."):
            if len(accepted.get(contract_id, [])) < 2 and not has_gaps:
                problems.append(f"Entry {n}: there is a settlement, but not both parties accepted.")
            problem = _problem_of_figures(facts, frozen)
            if problem:
                problems.append(f"Entry {n}: {problem}")
            first = recorded.setdefault(facts.get("settlement_id"), facts)
            if first.get("gross_pence") != facts.get("gross_pence"):
                problems.append(f"Entry {n}: the settlement's gross amount has changed.")


def _problem_of_figures(facts: _Json, terms: Optional[_Json]) -> Optional[str]:
    """The provider's net is rounded down to the penny, and the fee is the rest."""
    gross, fee, net = (facts.get(name, -1) for name in ("gross_pence", "fee_pence", "net_pence"))
    awarded = facts.get("awarded_pence", gross)
    if not all(_is_pence(each) for each in (gross, fee, net, awarded)):
        return "the settlement's amounts are not whole pence."
    if awarded > gross:
        return "more is awarded than was agreed."
    if fee + net != awarded:
        return "the settlement's fee and net amount do not add up."
    if not terms:
        return None
    if gross != terms["amount_pence"] or facts.get("payment_mode") != terms.get("payment_mode"):
        return "the settlement is not of the amount and mode in the terms."
    expected = int(awarded) * (10_000 - int(terms["fee_policy"]["bps"])) // 10_000
    return None if net == expected else "the settlement does not follow the fee policy in the terms."


def _check_criteria(bundle: _Json, terms: _Json, problems: List[str]) -> Dict[str, List[str]]:
    """Compares what the platform recorded about the criteria that it checks with the terms and the result."""
    found: Dict[str, List[str]] = {"proved": [], "asserted": []}
    statements, result = bundle["statements"], bundle["attachments"]["result"]
    if any(_is_erased(each) for each in statements) or not result:
        return found
    submitted = [each for each in statements if each["event"] == "task.submitted"]
    accepted = [
        each
        for each in statements
        if each["event"] == "contract.accepted" and submitted and each["n"] < submitted[-1]["n"]
    ]
    agreed = terms.get(accepted[-1]["facts"].get("contract_id")) if accepted else None
    criteria = agreed.get("acceptance_criteria") if agreed else None
    recorded = submitted[-1]["facts"].get("criteria") if submitted else None
    files = [each for each in bundle["files"] if each["purpose"] == "result"]
    findings = [each for each in recorded if isinstance(each, dict)] if isinstance(recorded, list) else []
    for index, criterion in enumerate(criteria if isinstance(criteria, list) else []):
        if isinstance(criterion, str):
            continue
        # Criteria have letters wherever people read them.
        letter = chr(ord("a") + index)
        kind = criterion.get("kind") if isinstance(criterion, dict) else None
        if not isinstance(kind, str):
            problems.append(f"Criterion {letter} of the terms is neither text nor of a known form.")
            continue
        name = f"Criterion {letter} of the terms ({kind})"
        passed = next(
            (each.get("passed") for each in findings if (each.get("index"), each.get("kind")) == (index, kind)), None
        )
        if not isinstance(passed, bool):
            problems.append(f"Entry {submitted[-1]['n']}: {name} was not checked.")
            continue
        words = _visible(f"{name}: the result submitted last {'meets' if passed else 'does not meet'} it.")
        passes = _passes_again(criterion, result["text"], files)
        if passes is None:
            found["asserted"].append(words)
        elif passes == passed:
            found["proved"].append(words)
        else:
            problems.append(f"Entry {submitted[-1]['n']}: {name}: the recorded outcome is wrong.")
    return found


def _passes_again(criterion: _Json, result: str, files: List[_Json]) -> Optional[bool]:
    """None if this cannot be computed here."""
    kind = criterion["kind"]
    value: Any = criterion.get("value")
    most: Any = criterion.get("max_bytes")
    is_hash = isinstance(value, str) and re.fullmatch(r"(?:sha256:)?[0-9a-f]{64}", value) is not None
    file = next((each for each in files if each["name"] == criterion.get("name")), None)
    if kind == "file_sha256" and is_hash:
        return file is not None and file["sha256"].endswith(value[-64:])
    if kind == "file_present" and _is_pence(most):
        if file is None or file["size"] > most:
            return False
        # The declared type is not in the evidence.
        return None if "media_type" in criterion else True
    if kind == "sha256" and is_hash:
        return _sha256_text(result).endswith(value)
    return len(result.encode("utf-8")) <= value if kind == "max_bytes" and _is_pence(value) else None


def _check_files(bundle: _Json, terms: _Json, given: Dict[str, str], problems: List[str]) -> List[_Json]:
    """The listed files must be those that the terms and the submission name; files of the reader are compared with them."""
    whole = [each for each in bundle["statements"] if not _is_erased(each)]
    submitted = next((each for each in reversed(whole) if each["event"] == "task.submitted"), None)
    results = [each for each in bundle["files"] if each["purpose"] == "result"]
    files_hash = submitted["facts"].get("files_hash") if submitted else None
    if any(submitted is None or each["n"] != submitted["n"] for each in results):
        problems.append("A result file is not of the last submission.")
    result = bundle["attachments"]["result"]
    if result and files_hash is not None:
        text = canonical_json([{name: each[name] for name in ("name", "size", "sha256")} for each in results])
        if _hash_of({"salt": result["salt"], "text": text}) != files_hash:
            problems.append("The result files are not those that were submitted last.")
    # Their hash is salted as the result's is, and the salt comes with the result.
    if results and not result:
        problems.append("Without the result, its files cannot be checked.")
    if results and files_hash is None:
        problems.append("No entry names the result files.")
    for file in bundle["files"]:
        if file["purpose"] != "brief":
            continue
        of = [each["facts"] for each in whole if each["n"] == file["n"] and each["event"] == "contract.proposed"]
        agreed = terms.get(of[0].get("contract_id"), {}).get("input_files") if of else None
        same = {name: file[name] for name in ("name", "size", "sha256")}
        named = agreed if isinstance(agreed, list) else []
        if not any(isinstance(each, dict) and {**each, **same} == each for each in named):
            problems.append(f"The terms do not name the file {file['name']}.")
    lines = []
    for file in bundle["files"]:
        own = given.get(file["name"])
        state = "unchecked" if own is None else "matches" if own == file["sha256"] else "differs"
        lines.append({**file, "name": _visible(file["name"]), "state": state})
    for name, own in given.items():
        listed = [each["sha256"] for each in bundle["files"] if each["name"] == name]
        if not listed:
            problems.append(f"The evidence names no file {name}.")
        elif own not in listed:
            problems.append(f"The file {name} is not the one in the evidence: its hash is {own}, not {listed[-1]}.")
    return lines


def _check_party_signatures(statements: List[_Json], signatures: _Signatures, problems: List[str]) -> List[_Json]:
    signed = []
    for statement in statements:
        facts = {} if _is_erased(statement) else statement["facts"]
        if "signature" not in facts and "signing_key" not in facts:
            continue
        jwk, text = facts.get("signing_key"), _signed_text(statement)
        is_key = (
            isinstance(jwk, dict)
            and (jwk.get("kty"), jwk.get("crv")) == ("OKP", "Ed25519")
            and isinstance(jwk.get("x"), str)
        )
        key = _from_base64url(jwk["x"]) if is_key else None
        data = _from_base64url(facts["signature"]) if isinstance(facts.get("signature"), str) else None
        is_right = (
            key is not None
            and data is not None
            and text is not None
            and signatures.accept(key, data, text.encode("utf-8"))
        )
        if is_right and statement["actor"]["public_id"] is not None:
            if signatures.are_checked:
                signed.append({"n": statement["n"], "public_id": statement["actor"]["public_id"], "key": jwk["x"]})
        else:
            problems.append(f"Entry {statement['n']}: the signature is not that of the key beside it.")
    return signed


def _signed_text(statement: _Json) -> Optional[str]:
    facts, log = statement["facts"], statement["log"]
    accepted, submitted = (facts.get("contract_id"), facts.get("terms_hash")), facts.get("evidence_hash")
    if statement["event"] in ("contract.accepted", "contract.signed") and all(
        isinstance(each, str) for each in accepted
    ):
        return f"guildhall.accept/1\n{log}\n{accepted[0]}\n{accepted[1]}\n"
    if statement["event"] == "task.submitted" and isinstance(submitted, str):
        return f"guildhall.submit/1\n{log}\n{statement['chain']}\n{submitted}\n"
    return None


def _hash_of(value: Any) -> Optional[str]:
    try:
        return _sha256_text(canonical_json(value))
    except ValueError:
        return None


def _has_hash(text: str, expected: Any) -> bool:
    try:
        return _sha256_text(text) == expected
    except UnicodeEncodeError:
        return False
