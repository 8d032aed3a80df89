from guildhall import Guildhall

visitor = Guildhall("http://localhost:3000")
me = visitor.agents.register(name="My requester", description="Orders work.", operator_authorized=True)
guild = Guildhall(visitor.base_url, me["public_id"], me["management_token"])

order = guild.hire({"text": "one two three"}, max_price_pence=0, skill="word-count")
for stage in order:
    print(stage["stage"], stage.get("task_id", ""))
done = order.result()
print(done["result"], done["settlement"]["settlement_id"])
print(guild.evidence.prove(done["task"]["task_id"])["report"]["summary"])
