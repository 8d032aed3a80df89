import json
from typing import Any, Callable, Dict, Iterator, Optional, Union

from .errors import GateRefused, GuildhallError, OfferChanged

#: What the requester decides about a result: True completes the task, a text asks for changes, anything else hands it over.
Review = Callable[[Any, Dict[str, Any]], Union[bool, str, None]]

_APPROVAL_SECONDS = 15


class HireFailed(Exception):
    """The work has ended without a result, or nobody could be found for it. `task` is the task, if there is one."""

    def __init__(self, message: str, task: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.task = task


class Hiring:
    """A piece of work under way. Iterated, it gives its stages, such as {"stage": "ordered", "task_id": ...}; `result()` goes on to
    the end and returns {"task", "result", "settlement", "evidence"}. Nothing happens between the steps: iterate, or ask for the
    result. `settlement` and `evidence` are None if the result was handed over to you for a decision.
    """

    def __init__(self, guild: Any, wanted: Dict[str, Any]) -> None:
        self._guild = guild
        self._wanted = wanted
        self._stages = self._run()
        self._outcome: Optional[Dict[str, Any]] = None
        #: By which the work goes on if you call `hire` with it again, and never becomes a second task.
        self.client_request_id: str = wanted["client_request_id"]

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return self._stages

    def result(self) -> Dict[str, Any]:
        for _ in self._stages:
            pass
        if self._outcome is None:
            raise HireFailed("The work was stopped. Call hire again with the same client_request_id to go on with it.")
        return self._outcome

    def _run(self) -> Iterator[Dict[str, Any]]:
        task: Any
        try:
            offer = self._choose()
            yield {"stage": "matched", "offer_id": offer["offer_id"], "price_pence": offer["price_pence"]}
            task = self._order(offer)
        except (HireFailed, GuildhallError):
            # An earlier call may have ordered it, when the offers were others.
            task = self._find() if self._wanted["is_repeated"] else None
            if task is None:
                raise
        yield {"stage": "ordered", "task_id": task["task_id"]}
        seen = "open"
        while task["state"] not in ("completed", "cancelled", "expired"):
            if task["state"] != seen:
                seen = task["state"]
                yield {"stage": seen, "task_id": task["task_id"]}
            seconds = 25
            try:
                decided = self._step(task)
            except GateRefused as refused:
                gate = _approval_in(refused)
                if gate is None:
                    raise
                yield {"stage": "waiting_for_approval", "task_id": task["task_id"], "remedy": gate["remedy"]}
                decided, seconds = None, _APPROVAL_SECONDS
            if decided == "handed_over":
                self._outcome = {"task": task, "result": self._read(task), "settlement": None, "evidence": None}
                yield {"stage": "handed_over", "task_id": task["task_id"]}
                return
            if decided:
                yield {"stage": decided, "task_id": task["task_id"]}
            stop = self._wanted["stop"]
            if stop is not None and stop.is_set():
                return
            wait = {"task_id": task["task_id"], "after_version": task["version"], "seconds": seconds}
            task = self._guild.jobs.wait(**wait, timeout=seconds + 30)["task"]
        if task["state"] != "completed":
            raise HireFailed(f"The task {task['task_id']} is {task['state']}.", task)
        contract_id = task["agreement"]["contract_id"]
        settlement = self._guild.settlements.mine(contract_id=contract_id).page()["settlements"][0]
        evidence = self._guild.evidence.prove(task["task_id"])["bundle"]
        self._outcome = {"task": task, "result": self._read(task), "settlement": settlement, "evidence": evidence}
        yield {"stage": "completed", "task_id": task["task_id"]}

    def _find(self) -> Optional[Dict[str, Any]]:
        """The task of an earlier call."""
        for task in self._guild.jobs.mine(role="requester", limit=100):
            if task.get("client_request_id") == self.client_request_id:
                return task
        return None

    def _choose(self) -> Dict[str, Any]:
        wanted = self._wanted
        most, offer = wanted["max_price_pence"], wanted["offer"]
        if isinstance(offer, str):
            return {"offer_id": offer, "price_pence": most}
        if offer is None:
            budget = most if wanted["max_pence"] is None else min(most, wanted["max_pence"])
            found = [
                each["offer"]
                for each in self._guild.agents.match(skill=wanted["skill"], budget_pence=budget)["matches"]
            ]
            hours = wanted["due_in_hours"]
            offers = [each for each in found if hours is None or (each["turnaround_hours"] or hours + 1) <= hours]
            if not offers:
                raise HireFailed("No offer fits this skill, price and time. agents.offers_list shows what there is.")
            offer = offers[0]
        if offer["price_pence"] > most:
            raise HireFailed(f"The offer costs {offer['price_pence']} pence, which is more than {most}.")
        return offer

    def _order(self, offer: Dict[str, Any]) -> Dict[str, Any]:
        fields = {
            "offer_id": offer["offer_id"],
            "input": self._wanted["input"],
            "price_pence": offer["price_pence"],
            "client_request_id": self.client_request_id,
            **self._wanted["more"],
        }
        if "revision" in offer:
            fields["revision"] = offer["revision"]
        try:
            return self._guild.jobs.order(**fields)["task"]
        except OfferChanged as changed:
            price = changed.details.get("price_pence")
            most = self._wanted["max_price_pence"]
            # Asked for by its ID alone, an offer has told its price by this.
            if isinstance(self._wanted["offer"], str) and isinstance(price, int) and price <= most:
                return self._guild.jobs.order(**{**fields, "price_pence": price})["task"]
            raise

    def _step(self, task: Dict[str, Any]) -> Optional[str]:
        """What is the requester's to do now."""
        task_id, state, agreement = task["task_id"], task["state"], task["agreement"]
        if state == "proposed" and not agreement["requester_accepted_at"]:
            self._guild.contracts.accept(contract_id=agreement["contract_id"], terms_hash=agreement["terms_hash"])
            return "accepted_terms"
        if state == "accepted":
            return self._pay(task)
        if state != "submitted":
            return None
        review: Review = self._wanted["review"] or (lambda _, each: each.get("criteria_passed") is True)
        verdict = review(self._read(task), task)
        if verdict is True:
            self._guild.jobs.complete(task_id=task_id)
            return None
        if isinstance(verdict, str):
            self._guild.jobs.request_changes(task_id=task_id, reason=verdict)
            return "changes_requested"
        return "handed_over"

    def _pay(self, task: Dict[str, Any]) -> Optional[str]:
        actions = {each["action"]: each for each in task["available_actions"]}
        if "fund" not in actions and "confirm" not in actions:
            return None
        key = f"{self.client_request_id}-pay"[-100:]
        payment = self._guild.payments.intent(contract_id=task["agreement"]["contract_id"], idempotency_key=key)[
            "payment"
        ]
        if payment["status"] != "pending":
            return None
        if task["payment_mode"] == "TEST":
            self._guild.payments.confirm(payment_id=payment["payment_id"], outcome="succeed")
            return "paid"
        pay = self._wanted["pay"]
        if pay is None:
            raise HireFailed("A LIVE order is paid by a person: give `pay`, which gets the checkout URL.", task)
        if not self._wanted["asked"]:
            self._wanted["asked"] = True
            pay(payment["checkout_url"])
            return "checkout"
        return None

    def _read(self, task: Dict[str, Any]) -> Any:
        """The result: a value if the terms ask for JSON, else a text."""
        result = task.get("result")
        checks = task.get("criteria_results") or []
        is_json = any(each["kind"] == "json_schema" and each["passed"] for each in checks)
        return json.loads(result) if is_json and result else result


def _approval_in(refused: GateRefused) -> Optional[Dict[str, Any]]:
    """The owner limits, if all that is missing is the owner's approval."""
    failed = [gate for gate in refused.gates if not gate["passed"]]
    is_approval = len(failed) == 1 and failed[0]["gate"] == "owner_limits" and failed[0]["reason"] == "owner_approval"
    return failed[0] if is_approval else None
