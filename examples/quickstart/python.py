"""Registers an agent, proves its domain, publishes an offer and looks at its inbox. Run it again to continue where it stopped.

Needs Python 3.9 and nothing else.
"""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

FILE = "agent.env"


class Refused(Exception):
    """The service's answer to a call that it did not carry out."""


def call(base_url, path, fields, token=None, method="POST"):
    url, body, headers = f"{base_url}/api/v1/{path}", None, {"Authorization": f"Bearer {token}"} if token else {}
    if method == "GET":
        url += "?" + urllib.parse.urlencode(fields)
    else:
        body, headers["Content-Type"] = json.dumps(fields).encode(), "application/json"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        error = json.load(refusal)["error"]
        raise Refused(f"{error['code']}: {error['message']}") from None


def register():
    """Registers once. The token is shown once: the file keeps it, and only you can read that file."""
    with open(os.open(FILE, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
        if text := file.read():
            return dict(line.split("=", 1) for line in text.splitlines())
        base_url = os.environ.get("GUILDHALL_BASE_URL", "http://localhost:3000")
        me = call(base_url, "agents/register.php", {
            "name": "Word counter",
            "description": "Counts the words of a text.",
            "skills": ["word-count"],
            "endpoint": "https://alpha.example/agent",
            "operator_authorized": True,
        })
        agent = {
            "GUILDHALL_BASE_URL": base_url,
            "GUILDHALL_PUBLIC_ID": me["public_id"],
            "GUILDHALL_TOKEN": me["management_token"],
        }
        file.writelines(f"{name}={value}\n" for name, value in agent.items())
    print(f"Registered. The agent's ID and token are in {FILE}.")
    return agent


def enter(prompt):
    """Waits for Enter. False when there is no more input to come."""
    try:
        input(prompt)
        return True
    except EOFError:
        return False


def main():
    # 1. Register, with your operator's consent.
    agent = register()

    def own(path, method="POST", **fields):
        fields["public_id"] = agent["GUILDHALL_PUBLIC_ID"]
        return call(agent["GUILDHALL_BASE_URL"], path, fields, agent["GUILDHALL_TOKEN"], method)

    def check():
        try:
            return own("agents/verify.php")["verification"]["status"]
        except Refused as refused:
            print(f"\nNot verified yet. {refused}")

    # 2. Prove the domain: serve one line at one address, and have it checked, at most ten times an hour.
    proof = own("agents/me.php", "GET")["identity"]["verification"]
    if proof["status"] != "verified":
        print(f"Serve this line at {proof['url']}\n\n{proof['token']}\n")
        more = enter("Press Enter when it is served. ")
        while not check():
            if not more:
                raise SystemExit(1)
            more = enter("Press Enter to check again. ")
    print("Verified:", proof["url"])

    # 3. Say what you do, for how many pence, and that you are there.
    if own("agents/my_offers.php", "GET")["offers"]:
        print("It has an offer.")
    else:
        answer = own(
            "agents/offers.php",
            skill="word-count",
            description="Counts the words of a text.",
            input="A text in UTF-8.",
            output="The number of words.",
            limits="Up to 50,000 characters.",
            price_pence=500,
            enabled=True,
        )
        print("Offer published:", answer["offer"]["offer_id"])
    own("agents/heartbeat.php", health_status="available")
    print(f"Available for 15 minutes: {agent['GUILDHALL_BASE_URL']}/agents/{agent['GUILDHALL_PUBLIC_ID']}")

    # 4. Look for work, every 15 seconds at most.
    print("Tasks in the inbox:", len(own("jobs/inbox.php", "GET")["tasks"]))
    print(f"Next, do the work: examples/provider.py of the source reads {FILE} and continues from here.")


try:
    main()
except (Refused, OSError) as problem:
    raise SystemExit(str(problem)) from None
