import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { closePrograms, type Fault, openRelay } from "#testing/examples/example-programs.ts";
import { agentWithOffer, callAs, publishOffer, registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { logKey, type SignedLog, signed, startSignedLog } from "#testing/log/signed-log.ts";
import { missing } from "#testing/missing-program.ts";
import { signedInOwner } from "#testing/owner.ts";
import { decideApproval, ownedAgent, setLimits } from "#testing/owner-limits.ts";
import { folderWithClient, PYTHON_WITH_CRYPTOGRAPHY, runPython, startPython } from "#testing/python.ts";

// guildhall.py as this service serves it, through a whole piece of work.

const skip = missing("python3");
const { folder, remove } = folderWithClient();
let log: SignedLog;
before(async () => {
  log = await startSignedLog();
});
after(async () => {
  await closePrograms();
  await log.stop();
  remove();
});

const faults = (...names: string[]): Fault[] =>
  names.map((name) => ({ path: `${name.split(" ")[0]}.php`, when: name.endsWith("before") ? "before" : "after" }));

const PROVIDER = `
import guildhall, json, time
guild = guildhall.Guildhall()

def work(task):
    with open("runs", "a") as file:
        file.write(task.get("changes_reason", "first") + "\\n")
    if "fail" in task["brief"]:
        raise RuntimeError("no idea")
    return {"words": len(task["brief"].split()), "amount": task["terms"]["amount_pence"]}

def say(event, facts):
    print(json.dumps({"event": event, **facts}), flush=True)

guild.provider(work, accept=True, min_pence=100, interval=0.2, state_file="state.json", say=say)
`;

const REQUESTER = `
import guildhall, json, sys
guild = guildhall.Guildhall()
given = json.load(sys.stdin)
feed = iter(guild.events(types=["task.*", "settlement.*"], after=0, stream=given["stream"]))

def until(kind, task_id):
    next(event for event in feed if (event["type"], event["task_id"]) == (kind, task_id))

too_cheap = guild.jobs.create(brief="Cheap.", budget_pence=99, provider_public_id=given["provider"])["task"]
task = guild.jobs.create(brief="Count these four words", budget_pence=500, provider_public_id=given["provider"])["task"]
task_id = task["task_id"]
until("task.claimed", task_id)
terms = dict(scope="Count.", amount_pence=500, acceptance_criteria=["Right."], data_terms="None: é😀.")
contract = guild.contracts.create(task_id=task_id, **terms)["contract"]
assert guild.terms.hash(contract["terms"]) == contract["terms_hash"]
assert guild.terms.canonical(contract["terms"]) == contract["terms_canonical"]
guild.contracts.accept(contract_id=contract["contract_id"], terms_hash=contract["terms_hash"])
until("settlement.recorded", task_id)
payment = guild.payments.intent(contract_id=contract["contract_id"])["payment"]
guild.payments.confirm(payment_id=payment["payment_id"], outcome="succeed")
until("task.submitted", task_id)
guild.jobs.request_changes(task_id=task_id, reason="Are you sure?")
until("task.submitted", task_id)
done = guild.jobs.complete(task_id=task_id)
mine = [each["task_id"] for each in guild.jobs.mine(role="requester", limit=1)]
history = [each["action"] for each in guild.jobs.show(task_id=task_id, history="1")["history"]]
print(json.dumps({
    "task_id": task_id,
    "result": json.loads(done["task"]["result"]),
    "settlement": [done["settlement"][name] for name in ("state", "gross_pence", "net_pence")],
    "mine": sorted(mine) == sorted([task_id, too_cheap["task_id"]]),
    "history": history,
    "cheap": guild.jobs.show(task_id=too_cheap["task_id"])["task"]["state"],
}))
`;

const variables = (agent: { publicId: string; token: string }, url: string) => ({
  GUILDHALL_BASE_URL: url,
  GUILDHALL_PUBLIC_ID: agent.publicId,
  GUILDHALL_TOKEN: agent.token,
});

test("the file is served as the others are, and names the service that it comes from", async () => {
  const answer = await fetch(`${log.url}/guildhall.py`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/x-python; charset=utf-8");
  for (const [name, value] of [
    ["cache-control", /^public, max-age=3600$/],
    ["etag", /^".+"$/],
    ["x-content-type-options", /^nosniff$/],
    ["content-security-policy", /default-src 'none'/],
    ["access-control-allow-origin", /^\*$/],
  ] as const)
    assert.match(answer.headers.get(name) ?? "", value, name);
  const text = await answer.text();
  assert.match(text, /^BASE_URL = "https:\/\/guild\.example"$/m);
  assert.ok(!/\{\{|undefined|\[object/.test(text));
  writeFileSync(join(folder, "guildhall.py"), text);
});

for (const [name, isRelayed] of [
  ["through a network that loses calls and answers", true],
  ["with a stream of events", false],
] as const)
  test(`requester and provider in Python get from a task to its settlement, ${name}`, {
    skip,
    timeout: 90_000,
  }, async () => {
    const { requester, provider } = log;
    await publishOffer(provider, { price_pence: 500 });
    const relay = async (planned: Fault[]) =>
      isRelayed ? openRelay(log.url, planned, () => undefined) : { url: log.url, faults: [] };
    const lost = {
      provider: await relay(
        faults(
          "jobs/claim",
          "contracts/accept before",
          "contracts/accept",
          "jobs/start before",
          "jobs/start",
          "jobs/submit before",
        ),
      ),
      requester: await relay(
        faults(
          "jobs/create",
          "contracts/create",
          "contracts/accept",
          "payments/intent",
          "payments/confirm before",
          "jobs/request_changes",
          "jobs/complete",
        ),
      ),
    };
    writeFileSync(join(folder, "runs"), "");
    const worker = startPython(folder, PROVIDER, { variables: variables(provider, lost.provider.url) });
    try {
      const done = await runPython<Record<string, unknown>>(folder, REQUESTER, {
        input: { provider: provider.publicId, stream: !isRelayed },
        variables: variables(requester, lost.requester.url),
      }).catch((error: Error) => assert.fail(`${error.message}\n${worker.run.out}${worker.run.err}`));
      assert.deepEqual([lost.provider.faults, lost.requester.faults], [[], []]);
      const { task_id, mine, ...rest } = done;
      assert.deepEqual(rest, {
        result: { words: 4, amount: 500 },
        settlement: ["approved", 500, 450],
        history: ["create", "claim", "propose", "accept", "start", "submit", "request_changes", "submit", "complete"],
        cheap: "open",
      });
      if (isRelayed) assert.equal(mine, true);
      assert.equal(readFileSync(join(folder, "runs"), "utf8"), "first\nAre you sure?\n");

      await signed();
      const verify = `
import guildhall, json, os, sys
given = json.load(sys.stdin)
guild = guildhall.Guildhall()
report = guild.evidence.verify(guild.jobs.evidence(task_id=given["task_id"]), key=given["key"])
print(json.dumps([report["verdict"], report["problems"], [each["event"] for each in report["statements"]][-1]]))`;
      const report = await runPython(folder, verify, {
        input: { task_id, key: await logKey() },
        variables: variables(requester, log.url),
        python: PYTHON_WITH_CRYPTOGRAPHY,
      });
      const verdict = PYTHON_WITH_CRYPTOGRAPHY ? "proved" : "consistent";
      assert.deepEqual(report, [verdict, [], "settlement.approved"]);
      worker.child.kill("SIGTERM");
      const { code, out, err } = await worker.ended;
      assert.deepEqual([code, err], [0, ""], out);
      assert.match(out, /"event": "passed_over".*too low[\s\S]*"event": "submitted"[\s\S]*"event": "stopped"/);
    } finally {
      worker.child.kill("SIGKILL");
    }
  });

const HIRE = `
import guildhall, json, os, sys
given = json.load(sys.stdin)
guild = guildhall.Guildhall()
stages = []
hiring = guild.hire(**given["hire"])
try:
    for stage in hiring:
        stages.append(stage["stage"])
        if stage["stage"] == given.get("crash_after"):
            print(json.dumps(stages), flush=True)
            os._exit(0)
    done = hiring.result()
    settlement, evidence = done["settlement"], done["evidence"]
    print(json.dumps({
        "stages": stages,
        "result": done["result"],
        "settlement": settlement and [settlement["state"], settlement["gross_pence"]],
        "evidence": evidence and guild.evidence.verify(evidence)["problems"],
        "task_id": done["task"]["task_id"],
    }))
except (guildhall.HireFailed, guildhall.GuildhallError) as error:
    print(json.dumps([type(error).__name__, str(error), stages]))
`;

const WORDS = `
import guildhall, json
def work(task):
    words = len(task["input"]["text"].split())
    return {"words": words} if words != 3 else {"word": words}
guildhall.Guildhall().provider(work, accept=True, interval=0.2, state_file="hire-state.json", say=lambda *_: None)
`;

test("hire goes from an order to the settlement, over a crash, and hands over a result that fails its checks", {
  skip,
  timeout: 90_000,
}, async () => {
  const requester = await verifiedAgent();
  const provider = await agentWithOffer({
    price_pence: 250,
    turnaround_hours: 24,
    input_schema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
    result_schema: { type: "object", required: ["words"], properties: { words: { type: "integer" } } },
  });
  const { offer_id, price_pence, revision, skill } = provider.offer;
  const signing = setInterval(() => void signed(), 500);
  const worker = startPython(folder, WORDS, { variables: variables(provider, log.url) });
  const hire = (wanted: object, more: object = {}) =>
    runPython(folder, HIRE, {
      input: { hire: { max_price_pence: 300, ...wanted }, ...more },
      variables: variables(requester, log.url),
    });
  try {
    const input = { text: "one two" };
    const order = { offer: { offer_id, price_pence, revision }, input, client_request_id: "hire-1" };
    assert.deepEqual(await hire(order, { crash_after: "ordered" }), ["matched", "ordered"]);
    const done = (await hire(order)) as Record<string, unknown>;
    const { stages, task_id, ...rest } = done;
    assert.deepEqual(rest, { result: { words: 2 }, settlement: ["approved", 250], evidence: [] });
    assert.equal((stages as string[]).at(-1), "completed");
    // Asked for again, it is the same work, and nothing is ordered or paid twice.
    assert.equal(((await hire(order)) as { task_id: string }).task_id, task_id);
    const dearer = { ...order, offer: { offer_id, price_pence: price_pence + 1, revision } };
    assert.equal(((await hire(dearer)) as { task_id: string }).task_id, task_id);
    const tasks = await callAs<{ tasks: object[] }>(requester, "GET", "/api/v1/jobs/mine.php", { role: "requester" });
    assert.equal(tasks.body.tasks.length, 1);

    const found = (await hire({ offer: offer_id, input })) as { settlement: unknown };
    assert.deepEqual(found.settlement, ["approved", 250]);
    const failing = (await hire({ skill, input: { text: "one two three" } })) as Record<string, unknown>;
    assert.deepEqual([failing.settlement, failing.evidence, failing.result], [null, null, '{"word": 3}']);
    assert.equal((failing.stages as string[]).at(-1), "handed_over");

    for (const [wanted, error] of [
      [{ skill, input, max_price_pence: 249 }, /^HireFailed,No offer fits/],
      [{ skill, input, due_in_hours: 23 }, /^HireFailed,No offer fits/],
      [{ offer: { offer_id, price_pence: 301 }, input }, /^HireFailed,The offer costs 301 pence/],
      [{ offer: offer_id, input, max_price_pence: 249 }, /^OfferChanged/],
      [{ offer: offer_id, input: { text: 7 } }, /^InvalidInput/],
    ] as const)
      assert.match(String(await hire(wanted)), error);
  } finally {
    clearInterval(signing);
    worker.child.kill("SIGKILL");
    await worker.ended;
  }
});

const COPIER = `
import guildhall, os
def work(task):
    with open(os.path.join(task["files_in"], "words.bin"), "rb") as given, open(os.path.join(task["files_out"], "turned.bin"), "wb") as made:
        made.write(given.read()[::-1])
    with open(os.path.join(task["files_out"], ".hidden"), "w"):
        os.mkdir(os.path.join(task["files_out"], "folder"))
    return "Turned."
def say(event, facts):
    open(event, "w").close()
guildhall.Guildhall().provider(work, accept=True, interval=0.2, state_file="copy-state.json", say=say)
`;

const WITH_FILES = `
import guildhall, hashlib, io, json, os, sys, time
guild = guildhall.Guildhall()
given = json.load(sys.stdin)
words = bytes(range(256)) * 300
with open("words.bin", "wb") as file:
    file.write(words)
sha256 = "sha256:" + hashlib.sha256(words).hexdigest()
task_id = guild.jobs.create(
    brief="Turn the file round.",
    budget_pence=0,
    provider_public_id=given["provider"],
    expected_files=[{"name": "words.bin", "sha256": sha256}],
)["task"]["task_id"]
while not os.path.exists("waiting"):
    time.sleep(0.05)
about = dict(task_id=task_id, purpose="brief")
sent = guild.files.upload("words.bin", **about)["file"]
for content in (words, io.BytesIO(words)):
    assert guild.files.upload(content, name="words.bin", **about)["file"] == sent
extra = guild.files.upload(b"", name="no thing.csv", **about)["file"]
assert (extra["size"], extra["media_type"]) == (0, "text/csv"), extra
assert guild.files.download(extra["file_id"]) == b""
guild.jobs.remove_file(file_id=extra["file_id"])
found = []
for call in (
    lambda: guild.files.download(extra["file_id"]),
    lambda: guild.files.download("fil_2222222222222222222222"),
    lambda: guild.files.upload(b"x", name="a/b", **about),
    lambda: guild.files.upload(b"x", **about),
):
    try:
        call()
    except (guildhall.GuildhallError, ValueError) as error:
        found.append(type(error).__name__)
feed = iter(guild.events(types=["task.*"], after=0))
until = lambda kind: next(event for event in feed if (event["type"], event["task_id"]) == (kind, task_id))
until("task.claimed")
terms = dict(scope="Turn.", amount_pence=0, acceptance_criteria=[{"kind": "file_present", "name": "turned.bin", "max_bytes": 100000}], data_terms="None.")
contract = guild.contracts.create(task_id=task_id, **terms)["contract"]
guild.contracts.accept(contract_id=contract["contract_id"], terms_hash=contract["terms_hash"])
until("task.submitted")
results = list(guild.jobs.files(task_id=task_id, purpose="result"))
turned = guild.files.download(results[0]["file_id"])
done = guild.jobs.complete(task_id=task_id)
hashes = {"words.bin": sha256, "turned.bin": "sha256:" + hashlib.sha256(turned).hexdigest()}
report = guild.evidence.verify(guild.jobs.evidence(task_id=task_id), files=hashes)
print(json.dumps({
    "found": found,
    "turned": turned == words[::-1],
    "input": [[each["name"], each["sha256"] == sha256] for each in contract["terms"]["input_files"]],
    "result": [each["name"] for each in done["task"]["result_files"]],
    "passed": done["task"]["criteria_passed"],
    "settlement": done["settlement"]["state"],
    "files": [[each["name"], each["state"]] for each in report["files"]],
}))
`;

test("a task with files goes from the upload to the evidence in Python, through a network that loses answers", {
  skip,
  timeout: 60_000,
}, async () => {
  const { requester, provider } = log;
  const upload = (name: string) => ({ path: `jobs/files/${name}`, when: "after" as const });
  const lost = [
    await openRelay(log.url, [upload("words.bin")], () => undefined),
    await openRelay(log.url, [upload("turned.bin")], () => undefined),
  ] as const;
  const worker = startPython(folder, COPIER, { variables: variables(provider, lost[1].url) });
  try {
    const done = await runPython<Record<string, unknown>>(folder, WITH_FILES, {
      input: { provider: provider.publicId },
      variables: variables(requester, lost[0].url),
    }).catch((error: Error) => assert.fail(`${error.message}\n${worker.run.out}${worker.run.err}`));
    assert.deepEqual(done, {
      found: ["FileRemoved", "NotFound", "InvalidInput", "ValueError"],
      turned: true,
      input: [["words.bin", true]],
      result: ["turned.bin"],
      passed: true,
      settlement: "approved",
      files: [
        ["words.bin", "matches"],
        ["turned.bin", "matches"],
      ],
    });
    assert.deepEqual(
      lost.map(({ faults: left }) => left),
      [[], []],
    );
  } finally {
    worker.child.kill("SIGKILL");
    await worker.ended;
  }
});

test("hire waits for the owner's approval as a stage of its own, and goes on when it is given", {
  skip,
  timeout: 60_000,
}, async () => {
  const owner = await signedInOwner();
  const requester = await ownedAgent(owner);
  succeeded(await setLimits(owner, requester, { ask_above_pence: 100 }));
  const provider = await agentWithOffer({ price_pence: 250 });
  const worker = startPython(folder, PROVIDER, { variables: variables(provider, log.url) });
  const program = `
import guildhall, json, sys
guildhall._APPROVAL_SECONDS = 1
offer = json.load(sys.stdin)
for stage in guildhall.Guildhall().hire("Count me.", 250, offer=offer, review=lambda result, task: True):
    print(json.dumps(stage), flush=True)
`;
  const hiring = startPython(folder, program, {
    input: provider.offer.offer_id,
    variables: variables(requester, log.url),
  });
  try {
    while (!hiring.run.out.includes("waiting_for_approval")) {
      assert.equal(hiring.run.err, "");
      await new Promise((done) => setTimeout(done, 50));
    }
    const { task_id } = JSON.parse(hiring.run.out.trim().split("\n").at(-1) ?? "") as { task_id: string };
    succeeded(await decideApproval(owner, requester, { task_id, decision: "approve", amount_pence: 250 }));
    const signing = setInterval(() => void signed(), 500);
    const { code, out, err } = await hiring.ended;
    clearInterval(signing);
    assert.equal(code, 0, err);
    const stages = out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { stage: string }).stage);
    assert.deepEqual(
      stages.filter((stage) => ["matched", "ordered", "accepted_terms", "paid", "completed"].includes(stage)),
      ["matched", "ordered", "accepted_terms", "paid", "completed"],
    );
  } finally {
    for (const { child } of [worker, hiring]) child.kill("SIGKILL");
    await worker.ended;
  }
});

test("errors of the service are classes by code, and a provider whose token is refused ends", { skip }, async () => {
  const stranger = await registerAgent();
  const program = `
import guildhall, json
guild = guildhall.Guildhall()
found = []
def fails(call, **fields):
    try:
        call(**fields)
    except guildhall.GuildhallError as error:
        found.append([type(error).__name__, error.code, error.status, error.final, len(error.gates) > 0, [each["path"] for each in error.field_errors], bool(error.request_id)])
task_id = guild.jobs.create(brief="Count.", budget_pence=0)["task"]["task_id"]
fails(guild.jobs.claim, task_id=task_id)
fails(guild.jobs.create, brief="", budget_pence=-1)
fails(guild.jobs.show, task_id="tsk_" + "1" * 22)
fails(guild.community.me)
fails(guildhall.Guildhall(token="ghm_" + "A" * 43).provider, work=str)
print(json.dumps(found))`;
  assert.deepEqual(await runPython(folder, program, { variables: variables(stranger, log.url) }), [
    ["GateRefused", "gate_refused", 403, true, true, [], true],
    ["InvalidInput", "invalid_input", 422, false, false, ["brief", "budget_pence"], true],
    ["NotFound", "not_found", 404, false, false, [], true],
    ["MissingCredential", "missing_credential", 0, false, false, [], false],
    ["InvalidCredential", "invalid_credential", 401, false, false, [], true],
  ]);
});
