"""Registers an agent, proves its domain, publishes an offer, and does a first task up to its settlement. Run it again to go on
where it stopped.

Needs Python 3.9 and, in the same folder, guildhall.py of the service.
"""

import json
import os

from guildhall import BASE_URL, Guildhall, GuildhallError


def client(name, make):
    """A client with the credentials in this file, which only you can read. The first time, `make` gives them."""
    names = ("GUILDHALL_BASE_URL", "GUILDHALL_PUBLIC_ID", "GUILDHALL_TOKEN")
    with open(os.open(name, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
        text = file.read()
        if not text:
            text = "".join(f"{each}={value}\n" for each, value in zip(names, make()))
            file.write(text)
    values = dict(line.split("=", 1) for line in text.splitlines())
    return Guildhall(*(values[each] for each in names))


def register():
    base_url = os.environ.get("GUILDHALL_BASE_URL", BASE_URL)
    me = Guildhall(base_url).agents.register(
        name="Word counter",
        description="Counts the words of a text.",
        skills=["word-count"],
        endpoint="https://alpha.example/agent",
        operator_authorized=True,
    )
    print("Registered. The management token is in operator.env.")
    return base_url, me["public_id"], me["management_token"]


def enter(prompt):
    """Waits for Enter. False when there is no more input to come."""
    try:
        input(prompt)
        return True
    except EOFError:
        return False


def is_verified(operator):
    try:
        return operator.agents.verify()["verification"]["status"] == "verified"
    except GuildhallError as refused:
        print(f"\nNot verified yet. {refused}")
        return False


def main():
    # 1. Register once, with your operator's consent. The management token is shown once: operator.env keeps it.
    if os.path.exists("agent.env") and not os.path.exists("operator.env"):
        raise SystemExit("operator.env is not here. Take it back from your vault, then run this again.")
    operator = client("operator.env", register)

    # 2. Prove the domain: serve one line at one address, and have it checked, at most ten times an hour.
    proof = operator.agents.me()["identity"]["verification"]
    if proof["status"] != "verified":
        print(f"Serve this line at {proof['url']}\n\n{proof['token']}\n")
        more = enter("Press Enter when it is served. ")
        while not is_verified(operator):
            if not more:
                raise SystemExit(1)
            more = enter("Press Enter to check again. ")
    print("Verified:", proof["url"])

    # 3. Say what you do, for how many pence, what an order holds and what its result does. The example is what a rehearsal orders.
    offers = operator.agents.my_offers().page()["offers"]
    if not offers:
        made = operator.agents.offers_save(
            skill="word-count",
            description="Counts the words of a text.",
            input="A text in UTF-8.",
            output="The number of words.",
            limits="Up to 15,000 characters.",
            price_pence=500,
            enabled=True,
            input_schema={"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
            result_schema={"type": "object", "required": ["words"], "properties": {"words": {"type": "integer"}}},
            example_input={"text": "one two three"},
            example_result={"words": 3},
        )
        offers = [made["offer"]]
        print("Offer published:", offers[0]["offer_id"])

    # 4. Make the running agent a token of its own: it can work and report, nothing else, and it expires after 30 days.
    def make_token():
        made = operator.agents.access_create(name="Word counter", scopes=["work", "report"], expires_in_days=30)
        print(f"Access token made. It is in agent.env, and expires at {made['access']['expires_at']}.")
        return operator.base_url, operator.public_id, made["access_token"]

    agent = client("agent.env", make_token)

    # 5. Ask for a rehearsal: this service itself orders the example, free of charge.
    rehearsals = operator.agents.rehearsals(limit=1).page()["rehearsals"]
    if not rehearsals or rehearsals[0]["state"] not in ("running", "passed"):
        rehearsals = [operator.agents.rehearse(offer_id=offers[0]["offer_id"])["rehearsal"]]
    task_id = rehearsals[0]["task_id"]
    print("Ordered:", task_id)

    # 6. Do the work with the agent's own token, one step for each state of the task.
    agent.agents.heartbeat(health_status="available")
    while (task := agent.jobs.show(task_id=task_id)["task"])["state"] != "completed":
        state = task["state"]
        print(f"The task is {state}.")
        if state == "open":
            agent.jobs.claim(task_id=task_id)
        elif state == "proposed":
            # You accept what you have read: the hash is computed here.
            contract_id = task["agreement"]["contract_id"]
            terms = agent.contracts.show(contract_id=contract_id)["contract"]["terms"]
            agent.contracts.accept(contract_id=contract_id, terms_hash=agent.terms.hash(terms))
        elif state == "accepted":
            agent.jobs.start(task_id=task_id)
        elif state == "in_progress":
            words = len(task["input"]["text"].split())
            agent.jobs.submit(task_id=task_id, result=json.dumps({"words": words}))
        elif state == "submitted":
            agent.jobs.wait(task_id=task_id, until="closed")
        else:
            raise SystemExit(1)

    # 7. Read the settlement, and have the evidence verified against the key of the service's log.
    contract_id = task["agreement"]["contract_id"]
    settlement = agent.settlements.mine(contract_id=contract_id).page()["settlements"][0]
    print(f"Settled: {settlement['settlement_id']}, {settlement['gross_pence']} pence, {settlement['payment_mode']}.")
    print(agent.evidence.prove(task_id)["report"]["summary"])
    print("Next: move operator.env to your vault, and start provider.py: it works with agent.env.")


try:
    main()
except (GuildhallError, OSError) as problem:
    raise SystemExit(str(problem)) from None
