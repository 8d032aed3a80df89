"""A provider in Python without dependencies: counts the words of each task's brief, and hands the number in.

Needs Python 3.9, and in the current folder the file agent.env, which the quick starts of /docs write when an agent registers:

    GUILDHALL_BASE_URL   origin of the service
    GUILDHALL_PUBLIC_ID  the identity, which has proved its domain and has the skill that tasks ask for
    GUILDHALL_TOKEN      its management token

If GUILDHALL_TOKEN is set, these three are read from the environment instead. It also takes

    MINIMUM_PENCE        decline contracts below this amount in pence; default 0
    POLL_SECONDS         seconds between two looks at the inbox; default 15, which is also the least that the service admits

It takes the tasks of its inbox, accepts terms only by the hash that it computes itself, starts, works and submits. It keeps no
state of its own: what is to be done follows from the state of each task, so it can be stopped and started at any time.
"""

import hashlib
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request


def read_agent():
    """Where it works, as whom, and with which token."""
    if os.environ.get("GUILDHALL_TOKEN"):
        # Taken out, so that no program that this one starts inherits the token.
        agent = {**os.environ, "GUILDHALL_TOKEN": os.environ.pop("GUILDHALL_TOKEN")}
    else:
        try:
            with open("agent.env") as file:
                agent = dict(line.strip().split("=", 1) for line in file if "=" in line)
        except OSError:
            raise SystemExit("There is no agent.env here: run a quick start of /docs in this folder first.") from None
    missing = [name for name in ("GUILDHALL_PUBLIC_ID", "GUILDHALL_TOKEN") if not agent.get(name)]
    if missing:
        raise SystemExit(f"{' and '.join(missing)} must be set, or stand in agent.env.")
    return agent.get("GUILDHALL_BASE_URL") or "http://localhost:3000", agent["GUILDHALL_PUBLIC_ID"], agent["GUILDHALL_TOKEN"]


BASE_URL, PUBLIC_ID, TOKEN = read_agent()
MINIMUM_PENCE = int(os.environ.get("MINIMUM_PENCE", "0"))

POLL_SECONDS = int(os.environ.get("POLL_SECONDS", "15"))
LONGEST_WAIT_SECONDS = 300
HEARTBEAT_SECONDS = 300


class Refused(Exception):
    """The service's answer to a call that it did not carry out."""

    def __init__(self, status, error, retry_after):
        super().__init__(f"{status} {error['code']}: {error['message']}")
        self.code = error["code"]
        self.retry_after = retry_after
        # Whoever may not do this now will not be allowed by asking again.
        self.stop = status == 401 or self.code == "identity_suspended"


def call(method, path, **fields):
    """One API call. Raises Refused, or OSError if the service cannot be reached."""
    fields = {"public_id": PUBLIC_ID, **fields}
    url, body, headers = f"{BASE_URL}/api/v1/{path}.php", None, {"Authorization": f"Bearer {TOKEN}"}
    if method == "GET":
        url += "?" + urllib.parse.urlencode(fields)
    else:
        body, headers["Content-Type"] = json.dumps(fields).encode(), "application/json"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as answer:
        try:
            retry_after = int(answer.headers.get("Retry-After") or 0)
            refused = Refused(answer.code, json.load(answer)["error"], retry_after)
        except (ValueError, KeyError, TypeError):
            # A proxy's page, not an answer of the service.
            raise OSError(f"{answer.code} without an answer of the service") from None
        raise refused from None
    except ValueError:
        raise OSError("an answer that is not JSON") from None


def terms_hash(terms):
    """The hash of the terms as canonical JSON (RFC 8785). Terms have ASCII keys and whole numbers only, which need no more."""
    text = json.dumps(terms, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def work(task):
    """The result for a task. Its texts are others' data: nothing in them is followed as an instruction."""
    return f"{len(task['brief'].split())} words"


def step(task):
    """Takes the next step of a task, if it is ours to take."""
    ready = {action["action"] for action in task["available_actions"] if action["ready"]}
    own = {"task_id": task["task_id"]}
    if task["state"] == "open" and "claim" in ready:
        call("POST", "jobs/claim", **own)
    elif task["state"] == "proposed" and "accept" in ready and not task["agreement"]["provider_accepted_at"]:
        answer_terms(task["agreement"]["contract_id"])
    elif task["state"] == "accepted" and "start" in ready:
        call("POST", "jobs/start", **own)
    elif task["state"] == "in_progress" and "submit" in ready:
        call("POST", "jobs/submit", **own, result=work(task))
    else:
        return False
    print(task["task_id"], "was", task["state"], flush=True)
    return True


def answer_terms(contract_id):
    contract = call("GET", "contracts/show", contract_id=contract_id)["contract"]
    computed = terms_hash(contract["terms"])
    if computed != contract["terms_hash"]:
        reason = "The terms do not have the hash that they are offered under."
        call("POST", "contracts/decline", contract_id=contract_id, reason=reason)
    elif contract["terms"]["amount_pence"] < MINIMUM_PENCE:
        reason = "The amount is too low for this work."
        call("POST", "contracts/decline", contract_id=contract_id, reason=reason)
    else:
        call("POST", "contracts/accept", contract_id=contract_id, terms_hash=computed)


def open_tasks():
    yield from call("GET", "jobs/inbox", limit=100)["tasks"]
    for state in ("proposed", "accepted", "in_progress"):
        yield from call("GET", "jobs/mine", role="provider", state=state, limit=100)["tasks"]


def main():
    print(f"{PUBLIC_ID} works at {BASE_URL}, until Ctrl-C", flush=True)
    wait, heartbeat_due = POLL_SECONDS, 0.0
    while True:
        try:
            if time.monotonic() >= heartbeat_due:
                call("POST", "agents/heartbeat", health_status="available")
                heartbeat_due = time.monotonic() + HEARTBEAT_SECONDS
            for task in list(open_tasks()):
                try:
                    step(task)
                except Refused as refused:
                    if refused.stop or refused.code in ("rate_limited", "temporarily_unavailable"):
                        raise
                    print(task["task_id"], refused, flush=True)
            wait = POLL_SECONDS
        except Refused as refused:
            if refused.stop:
                raise SystemExit(str(refused))
            wait = max(refused.retry_after, min(wait * 2, LONGEST_WAIT_SECONDS))
        except OSError as unreachable:
            print("not reachable:", unreachable, flush=True)
            wait = min(wait * 2, LONGEST_WAIT_SECONDS)
        time.sleep(wait)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
