import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { parsePrivateKey } from "#lib/record/log/private-key.ts";
import { call, startTestService } from "#lib/testing/client.ts";
import { proposed } from "#lib/testing/community.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#lib/testing/factories.ts";
import { changesNothing } from "#lib/testing/snapshot.ts";
import { did, perform, storedState, taskAt } from "#lib/testing/workflow.ts";
import { formatVkey } from "#sdk/tlog/note.ts";
import { COMMANDS } from "./commands.ts";
import { commandLineContext } from "./context.ts";

const ROOT = resolve(import.meta.dirname, "../..");
let service: Awaited<ReturnType<typeof startTestService>>;
let folder: string;
let requester: TestAgent;
let provider: TestAgent;
before(async () => {
  service = await startTestService();
  folder = mkdtempSync(join(tmpdir(), "guildhall-admin-"));
  requester = await registerAgent();
  provider = await verifiedAgent();
});
after(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

type Output = { code: number | null; out: string; err: string };

/** Runs the command as `npm run admin -- …` does, against the test's database. */
const admin = (...args: string[]) => adminWith({}, ...args);

/** The same with further variables. */
function adminWith(variables: Record<string, string>, ...args: string[]): Promise<Output> {
  const child = spawn(process.execPath, [join(ROOT, "admin.ts"), ...args], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: folder, LOG_LEVEL: "info", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done({ code, out, err }));
  });
}

type Answer = { ok: boolean; error?: { code: string; message: string }; events?: Entry[] } & Record<string, unknown>;
type Entry = { action: string; reason: string; actor: { kind: string; id: string }; subject: { id: string } };

/** A command that succeeds: JSON on standard output, nothing else, and exit code 0. */
async function done(...args: string[]): Promise<Answer> {
  const { code, out, err } = await admin(...args);
  assert.deepEqual([code, err], [0, ""], out + err);
  const answer = JSON.parse(out) as Answer;
  assert.equal(answer.ok, true);
  return answer;
}

const why = ["--reason", "because of a test", "--as", "Grace"];

test("without a command, or with an unknown one, it lists the commands and fails", async () => {
  for (const args of [[], ["constructor"]]) {
    const { code, out, err } = await admin(...args);
    assert.deepEqual([code, (JSON.parse(out) as Answer).error?.code], [1, "invalid_input"]);
    for (const name of Object.keys(COMMANDS)) assert.match(err, new RegExp(`^  ${name}\\b`, "m"));
  }
});

test("--help lists the commands and succeeds", async () => {
  const { code, out, err } = await admin("--help");
  assert.deepEqual([code, err], [0, ""]);
  for (const name of Object.keys(COMMANDS)) assert.match(out, new RegExp(`^  ${name}\\b`, "m"));
});

test("a command that changes something needs a reason, and does nothing without one", () =>
  changesNothing("a command without a reason", async () => {
    const { code, err } = await admin("hold", newId("tsk"), "--reason", "  ");
    assert.equal(code, 1);
    assert.match(err, /--reason/);
    const free = Object.entries(COMMANDS).filter(([, { changes }]) => !changes);
    for (const [name] of free)
      assert.ok(
        [
          "audit",
          "reports",
          "keys",
          "administrators",
          "create",
          "stripe-check",
          "evidence",
          "log-key",
          "witness-key",
          "identities",
          "disputes",
        ].includes(name),
        `${name} asks for no reason`,
      );
  }));

test("a reason that contains a token is refused, and not repeated", () =>
  changesNothing("a reason with a token", async () => {
    const { code, out, err } = await admin("hold", provider.publicId, "--reason", `Leaked: ${provider.token}`);
    assert.equal(code, 1);
    assert.match(err, /must not contain a token/);
    assert.ok(!(out + err).includes(provider.token));
  }));

test("a new key for the log is printed under the origin of BASE_URL or a given one, without a database", () =>
  changesNothing("a new key", async () => {
    const none = { DATABASE_URL: "", DIRECT_DATABASE_URL: "", AUTH_SECRET: "", BASE_URL: "https://guild.example" };
    const made = JSON.parse((await adminWith(none, "log-key", "--new")).out) as Answer;
    assert.equal(made.origin, "guild.example/log");
    const key = parsePrivateKey(String(made.log_signing_key));
    assert.deepEqual([key?.name, key && formatVkey(key)], [made.origin, made.vkey]);
    assert.equal(loadEnv({ LOG_SIGNING_KEY: String(made.log_signing_key) }).logSigningKey, made.log_signing_key);
    const { out } = await adminWith({ ...none, BASE_URL: "" }, "log-key", "--new", "--origin", "guild.example/log/2");
    assert.match(out, /PRIVATE\+KEY\+guild\.example\/log\/2\+/);
    const refused = await adminWith({ ...none, BASE_URL: "" }, "log-key", "--new");
    assert.match((JSON.parse(refused.out) as Answer).error?.message ?? "", /--origin/);
    for (const given of [{ new: "", origin: "a b" }, { origin: "guild.example/log" }])
      assert.throws(() => COMMANDS["log-key"]?.withoutDatabase?.(new Map(Object.entries(given))), /--origin/);
    assert.deepEqual(readdirSync(folder), []);
  }));

test("migrate says what it applied", async () => {
  assert.deepEqual(await done("migrate"), { ok: true, applied: [], warnings: [] });
});

test("a new token is printed after the domain was verified since the leak, and the old one no longer works", async () => {
  const agent = await verifiedAgent();
  await call("POST", "/api/v1/agents/report_leak.php", { body: { secret: agent.token } });
  await assert.rejects(run("reissue", agent.publicId), { code: "state_conflict" });
  // Stands for a passed check, which needs a network.
  await pool().query("UPDATE identities SET domain_checked_at = now() WHERE id = $1", [agent.publicId]);
  const { management_token: token } = await done("reissue", agent.publicId, ...why);
  const me = (bearer: unknown) =>
    call("GET", "/api/v1/agents/me.php", { token: String(bearer), query: { public_id: agent.publicId } });
  assert.deepEqual([(await me(agent.token)).status, (await me(token)).status], [401, 200]);
});

test("mistakes in the arguments are reported as JSON with usage, never with a stack trace", () =>
  changesNothing("a mistaken command", async () => {
    const spawned = [
      ["suspend", ...why],
      ["audit", "--unknown-option"],
    ];
    for (const args of spawned) {
      const { code, out, err } = await admin(...args);
      assert.equal(code, 1, args.join(" "));
      assert.doesNotMatch(out + err, /\n\s+at |node:internal|\.ts:\d/);
      assert.equal((JSON.parse(out) as Answer).ok, false);
    }
    const refused: [name: string, args: string[], code: string][] = [
      ["suspend", ["nobody"], "invalid_input"],
      ["suspend", [newId("agt")], "not_found"],
      ["suspend", [newId("tsk")], "invalid_input"],
      ["hold", [newSecret("ghm")], "invalid_input"],
      ["deny", [provider.publicId, "breathe"], "invalid_input"],
      ["risk", [provider.publicId, "enormous"], "invalid_input"],
      ["quota", [provider.publicId, "posts", "5"], "invalid_input"],
      ["quota", [provider.publicId, "offers", "many"], "invalid_input"],
      ["quota", [provider.publicId, "offers", "-1"], "invalid_input"],
      ["quota", [newId("agt"), "offers", "5"], "not_found"],
      ["resolve", [newId("dsp"), "both"], "invalid_input"],
      ["resolve", [newId("dsp"), "provider"], "not_found"],
      ["refund", [newId("stl")], "not_found"],
      ["refund", [newId("tsk")], "invalid_input"],
      ["send-transfer", [newId("stl")], "not_found"],
      ["reverse-transfer", [newId("stl")], "not_found"],
      ["unhold", [newId("tsk")], "not_found"],
      ["allow", [newId("agt"), "claim"], "not_found"],
    ];
    for (const [name, args, code] of refused)
      await assert.rejects(async () => run(name, ...args), { code }, `${name} ${args.join(" ")}`);
  }));

test("a secret from the environment is not replaced, and the command says how to replace it", () =>
  changesNothing("a refused rotation", async () => {
    const { code, out } = await admin("rotate-secret", ...why);
    const { error } = JSON.parse(out) as Answer;
    assert.deepEqual([code, error?.code], [1, "state_conflict"]);
    assert.match(error?.message ?? "", /AUTH_SECRET_PREVIOUS.*restart/);
  }));

/** Runs the command in this process. */
async function run(name: string, ...args: string[]): Promise<Record<string, unknown>> {
  return { ...(await COMMANDS[name]?.run(commandLineContext("Grace"), args, "because of a test")) };
}

test("each command takes effect on the API at once, and its opposite undoes it", async () => {
  const { publicId } = provider;
  const claim = async () =>
    (await perform(provider, "claim", await taskAt("open", { requester, provider }))).error?.gates;
  const blockedGates = async () => (await claim())?.filter(({ passed }) => !passed).map(({ gate }) => gate);

  await done("hold", publicId, ...why);
  assert.deepEqual(await blockedGates(), ["hold"]);
  await run("unhold", publicId);
  await run("risk", publicId, "high");
  assert.deepEqual(await blockedGates(), ["risk"]);
  await run("risk", publicId, "low");
  assert.deepEqual((await run("deny", publicId, "claim")).denied_actions, ["claim"]);
  assert.deepEqual(await blockedGates(), ["permission"]);
  assert.deepEqual((await run("allow", publicId, "claim")).denied_actions, []);
  assert.equal(await blockedGates(), undefined);

  await run("suspend", publicId);
  assert.equal((await callAs(provider, "GET", "/api/v1/agents/me.php")).error?.code, "identity_suspended");
  await run("restore", publicId);
  assert.equal((await callAs(provider, "GET", "/api/v1/agents/me.php")).status, 200);

  const work = await taskAt("claimed", { requester, provider });
  await run("hold", work.taskId);
  assert.equal((await perform(provider, "release", work)).error?.code, "gate_refused");
  await run("unhold", work.taskId);
  const money = await taskAt(
    "submitted",
    { requester, provider },
    { amountPence: 1_000, task: { budget_pence: 1_000 } },
  );
  const { dispute: split } = await did(requester, "dispute", money);
  const resolved = await done("resolve", split?.dispute_id ?? "", "split", "--provider-pence", "400", ...why);
  const { settlement_id: id, awarded_pence } = resolved.settlement as { settlement_id: string; awarded_pence: number };
  assert.equal(awarded_pence, 400);
  const { preview } = await done("refund", id, "--pence", "100", "--preview");
  assert.match(String(preview), /refund of £1\.00 \(simulated\)/);
  const actId = newId("act");
  const again = () => done("refund", id, "--pence", "100", "--act-id", actId, ...why);
  assert.deepEqual(await again(), await again());
  const { dispute } = await did(provider, "dispute", work);
  await run("resolve", dispute?.dispute_id ?? "", "requester");
  assert.equal(await storedState(work.taskId), "cancelled");
});

const entries = async (...subject: string[]) => (await run("audit", ...subject)).events as Entry[];

test("the audit trail keeps who did what, to which subject and why", async () => {
  await run("hold", requester.publicId);
  await done("unhold", requester.publicId, "--reason", "over");
  const events = await entries(requester.publicId);
  const [last, before] = events;
  assert.deepEqual(
    [last?.action, last?.reason, last?.actor],
    ["unhold", "over", { kind: "administrator", id: "command line" }],
  );
  assert.deepEqual(
    [before?.action, before?.reason, before?.actor],
    ["hold", "because of a test", { kind: "administrator", id: "Grace" }],
  );
  assert.ok(events.every(({ subject, actor }) => subject.id === requester.publicId || actor.id === requester.publicId));
  assert.ok((await entries()).length > events.length);
});

test("a quota set by command applies at once and is in the audit trail", async () => {
  const answer = await done("quota", provider.publicId, "offers", "75", ...why);
  assert.deepEqual([answer.public_id, answer.quota, answer.limit], [provider.publicId, "offers", 75]);
  const me = await callAs<{ quotas: { offers: { limit: number } } }>(provider, "GET", "/api/v1/agents/me.php");
  assert.equal(me.body.quotas.offers.limit, 75);
  const events = await entries(provider.publicId);
  assert.deepEqual([events[0]?.action, events[0]?.reason], ["quota", "because of a test"]);
});

test("disputes lists what waits for a decision, and shows one with what both parties say", async () => {
  const list = (which?: string) =>
    COMMANDS.disputes?.run(commandLineContext("Grace"), which ? [which] : [], "") as Promise<Record<string, unknown>>;
  const work = await taskAt("submitted", { requester, provider });
  const { dispute } = await did(requester, "dispute", work);
  const id = dispute?.dispute_id ?? "";
  const said = { dispute_id: id, statement: "It is all there." };
  await callAs(provider, "POST", "/api/v1/jobs/dispute_statement.php", said);
  const { disputes } = (await list()) as { disputes: { dispute_id: string; provider: { public_id: string } }[] };
  const listed = disputes.find((each) => each.dispute_id === id);
  assert.equal(listed?.provider.public_id, provider.publicId);
  const { dispute: whole } = (await list(id)) as { dispute: { statements: { role: string; statement: string }[] } };
  assert.deepEqual(
    whole.statements.map(({ role, statement }) => [role, statement]),
    [["provider", "It is all there."]],
  );
  assert.deepEqual(
    ((await list("resolved")) as { disputes: { dispute_id: string }[] }).disputes.filter(
      (each) => each.dispute_id === id,
    ),
    [],
  );
  await assert.rejects(list("closed"), /open, resolved/);
  await assert.rejects(list(newId("dsp")), /Not found/);
});

test("identities lists service identities, and profiles without one, by name, host or ID", async () => {
  const list = (search: string, ...flags: string[]) =>
    COMMANDS.identities?.run(
      commandLineContext("Grace"),
      [search],
      "",
      new Map(flags.map((flag) => [flag, ""])),
    ) as Promise<{
      identities?: { public_id: string; domain_status: string }[];
      profiles?: { public_id: string }[];
    }>;
  const { identities } = await list(provider.publicId);
  assert.deepEqual(
    identities?.map(({ public_id: id, domain_status: domain }) => [id, domain]),
    [[provider.publicId, "verified"]],
  );
  const profile = await proposed({ name: "Lonely heron" });
  assert.deepEqual(
    (await list("lonely heron", "profiles")).profiles?.map(({ public_id: id }) => id),
    [profile.publicId],
  );
  assert.deepEqual((await list("lonely heron")).identities, []);
});
