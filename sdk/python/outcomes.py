from typing import Any, Callable, Dict, Optional

# What became of a step whose answer was lost. Steps carry no request ID; the task's state says whether one was taken. Looking
# first is safer than repeating: between a lost answer and its repetition the other party may have acted.

_Fields = Dict[str, Any]
_LookUp = Callable[[Any, _Fields], Optional[_Fields]]


def _read_task(guild: Any, sent: _Fields) -> _Fields:
    return guild.jobs.show(**{name: sent[name] for name in ("task_id", "public_id") if name in sent})["task"]


def _read_contract(guild: Any, contract_id: str, sent: _Fields) -> _Fields:
    own = {"public_id": sent["public_id"]} if "public_id" in sent else {}
    return guild.contracts.show(contract_id=contract_id, **own)["contract"]


def _step(*states: str) -> _LookUp:
    def look_up(guild: Any, sent: _Fields) -> Optional[_Fields]:
        task = _read_task(guild, sent)
        return {"task": task} if task["state"] in states else None

    return look_up


def _claimed(guild: Any, sent: _Fields) -> Optional[_Fields]:
    task = _read_task(guild, sent)
    provider = task["parties"]["provider"] or {}
    is_own = "public_id" in sent and provider.get("public_id") == sent["public_id"]
    return {"task": task} if task["state"] != "open" and is_own else None


def _completed(guild: Any, sent: _Fields) -> Optional[_Fields]:
    task = _read_task(guild, sent)
    if task["state"] != "completed" or not task["agreement"]:
        return None
    page = guild.settlements.mine(contract_id=task["agreement"]["contract_id"]).page()
    return {"task": task, "settlement": page["settlements"][0]}


def _proposed(guild: Any, sent: _Fields) -> Optional[_Fields]:
    task = _read_task(guild, sent)
    if not task["agreement"]:
        return None
    contract = _read_contract(guild, task["agreement"]["contract_id"], sent)
    terms = contract.get("terms") or {}
    # Another proposal is not this one: sent again, the call says that the task is no longer open to proposals.
    is_own = terms.get("scope") == str(sent.get("scope")).strip() and terms.get("amount_pence") == sent.get(
        "amount_pence"
    )
    return {"contract": contract} if is_own else None


def _declined(guild: Any, sent: _Fields) -> Optional[_Fields]:
    contract = _read_contract(guild, sent["contract_id"], sent)
    return {"contract": contract} if contract["state"] == "declined" else None


_LOOK_UPS: Dict[str, _LookUp] = {
    "jobs.claim": _claimed,
    "jobs.start": _step("in_progress"),
    "jobs.submit": _step("submitted", "completed"),
    "jobs.request_changes": _step("in_progress"),
    "jobs.cancel": _step("cancelled"),
    "jobs.complete": _completed,
    "contracts.create": _proposed,
    "contracts.decline": _declined,
}
