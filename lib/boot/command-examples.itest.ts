import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { newId } from "#lib/kernel/ids.ts";
import { type Printed, runAdmin, runHere } from "#testing/admin-command.ts";
import { call } from "#testing/client.ts";
import { member, post, publish } from "#testing/community.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { put } from "#testing/files.ts";
import { catchUp, completedLive, fundedLive, type Live, settlementOf, startLive } from "#testing/live.ts";
import { callAsOwner, signedInOwner } from "#testing/owner.ts";
import { openFolder, removeFolder } from "#testing/processes/embedded.ts";
import { did, postTask, taskAt } from "#testing/workflow.ts";
import { COMMANDS } from "./commands.ts";

// Every command's help ends with an example. Here each is run, on a service with LIVE at a stand-in for Stripe.

let live: Live;
const folder = openFolder();
before(async () => {
  // Where a witness keeps its key.
  process.env.LOG_STATE_DIR = folder;
  live = await startLive();
});
after(async () => {
  await live.stop();
  removeFolder(folder);
});

/** What an example is about, by what it says in its place. */
type Subjects = Record<string, string>;

const agent = async () => ({ agt: (await verifiedAgent()).publicId });
const transfer = async (sent: boolean) => {
  const work = await completedLive(live);
  if (sent) await catchUp(live);
  return { stl: (await settlementOf(work)).settlement_id };
};
const owner = async (role: "owner" | "administrator" = "owner") => {
  const { ownerId, email } = await signedInOwner({ role });
  return { own: ownerId, "bob@example.com": email };
};
const report = async () => {
  const { publicId } = await registerAgent();
  const fields = { subject: publicId, reason: "It is spam." };
  const { body } = await callAsOwner<{ report_id: string }>(
    await signedInOwner(),
    "POST",
    "/api/v1/owners/report.php",
    fields,
  );
  return { rpt: body.report_id };
};
const task = async (state: "submitted" | "completed") => {
  const work = await taskAt(state, { requester: await registerAgent(), provider: await verifiedAgent() });
  return { tsk: work.taskId };
};

const pattern = async (kind = "literal", text = newId("pat")) => {
  const { pattern_id } = await runHere("add-pattern", kind, text);
  return { pat: String(pattern_id) };
};
const held = async () => {
  const word = newId("pat").slice(4);
  await pattern("literal", word);
  forgetCachedReads();
  const answer = await post(await member(), { title: "T", body: `Look: ${word}` });
  return { pst: answer.body.post.post_id };
};

const appealed = async () => {
  const author = await member();
  const { post_id } = await publish(author);
  await runHere("withdraw", post_id);
  const { body } = await call<{ moderations: { moderation_id: string }[] }>("GET", "/api/v1/moderation/acts.php", {
    token: author.key,
  });
  const moderation_id = body.moderations[0]?.moderation_id ?? "";
  await call("POST", "/api/v1/moderation/appeal.php", {
    token: author.key,
    body: { moderation_id, reason: "It was right" },
  });
  return { mod: moderation_id };
};

/** Brings about what each example needs; those that are not here need nothing. */
const PREPARED: Record<string, () => Promise<Subjects>> = {
  promote: owner,
  demote: async () => {
    // The last administrator cannot be demoted.
    await owner("administrator");
    return owner("administrator");
  },
  "disable-owner": owner,
  "enable-owner": async () => {
    const subjects = await owner();
    await runHere("disable-owner", subjects.own);
    return subjects;
  },
  "end-sessions": owner,
  "reset-password": owner,
  suspend: agent,
  unsuspend: async () => {
    const subjects = await agent();
    await runHere("suspend", subjects.agt);
    return subjects;
  },
  unhold: async () => {
    await runHere("hold", "host:example.com");
    return {};
  },
  "check-domain": agent,
  reissue: async () => {
    const subjects = await agent();
    await runHere("hold", subjects.agt);
    // Stands for a check of the domain since then.
    await pool().query("UPDATE identities SET domain_checked_at = now() WHERE id = $1", [subjects.agt]);
    return subjects;
  },
  "remove-file": async () => {
    const requester = await verifiedAgent();
    return { fil: (await put(requester, { taskId: (await postTask(requester)).task_id })).file.file_id };
  },
  risk: agent,
  quota: agent,
  deny: agent,
  allow: async () => {
    const subjects = await agent();
    await runHere("deny", subjects.agt, "claim");
    return subjects;
  },
  resolve: async () => {
    const work = await fundedLive(live);
    const { dispute } = await did(work.requester, "dispute", work);
    return { dsp: dispute?.dispute_id ?? "" };
  },
  complete: () => task("submitted"),
  "cancel-transfer": () => transfer(false),
  refund: () => transfer(false),
  "reverse-transfer": () => transfer(true),
  "send-transfer": async () => {
    const subjects = await transfer(false);
    await runHere("refund", subjects.stl, "--pence", "100");
    return subjects;
  },
  "forget-rehearsal": async () => {
    // What the examples before it began comes to its end.
    await catchUp(live);
    return {};
  },
  withdraw: async () => ({ pst: (await publish(await member())).post_id }),
  uphold: report,
  dismiss: report,
  "end-pattern": () => pattern(),
  "uphold-appeal": appealed,
  "reject-appeal": appealed,
  "release-post": held,
  "refuse-post": held,
  evidence: () => task("completed"),
  audit: agent,
  backup: async () => ({ "/backups": folder }),
  restore: async () => ({ "/backups": folder }),
};

/** The example as a shell splits it, with its IDs, addresses and folders replaced. */
function wordsOf(example: string, subjects: Subjects): string[] {
  let text = example;
  for (const [name, value] of Object.entries(subjects))
    text = /^[a-z]{3}$/.test(name)
      ? text.replaceAll(new RegExp(`\\b${name}_\\w{22}`, "g"), value)
      : text.replaceAll(name, value);
  return [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** Examples that end with a refusal here, as they should; what they do otherwise is tested beside them. */
const REFUSED: Record<string, RegExp> = {
  // The secret of a test comes from its environment. rotate-secret.itest.ts replaces one.
  "rotate-secret": /AUTH_SECRET_PREVIOUS.*restart/,
};

/** As a program, with a database of its own: the one that `restore` fills is in an empty DATA_DIR. */
async function runProgram(name: string, words: string[]): Promise<Printed> {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const none = { DATABASE_URL: "", DIRECT_DATABASE_URL: "" };
  const { out, err } = await runAdmin(name === "restore" ? home : folder, words, name === "restore" ? none : {});
  assert.equal(err, "");
  return JSON.parse(out) as Printed;
}

for (const [name, command] of COMMANDS)
  test(`the example of ${name} works`, async () => {
    const words = wordsOf(command.example, (await PREPARED[name]?.()) ?? {});
    if ("runOn" in command) return assert.equal((await runProgram(name, words)).ok, true);
    const refusal = REFUSED[name];
    if (refusal) return assert.rejects(runHere(...words), { message: refusal });
    const answer = await runHere(...words);
    assert.ok(Object.keys(answer).length > 0);
    const [, about = ""] = words;
    if (!command.changes || !/^[a-z]{3}_/.test(about)) return;
    const { events } = (await runHere("audit", about)) as { events: { reason: string }[] };
    const reason = words[words.indexOf("--reason") + 1];
    assert.ok(
      events.some((event) => event.reason === reason),
      "the audit trail has the reason",
    );
  });
