import { query } from "#testing/query.ts";
import { CONSENTED, registration } from "#testing/requests.ts";
import type { Administrator } from "./administrator.ts";
import type { Client, Own } from "./client.ts";
import { Member } from "./community.ts";
import { Tasks } from "./tasks.ts";

// Cases for administrators to decide, each created for one test through the API. What the API cannot create (a proof on a host that
// does not exist, a failed job) is written to the database.

type Party = Own & { name: string; host: string };

let made = 0;

/** An identity with a verified domain. */
export async function settleParty(client: Client, administrator: Administrator, name: string): Promise<Party> {
  made += 1;
  const host = `party-${process.pid}-${Date.now()}-${made}.test`;
  const own = await client.post<Own>("agents/register.php", registration({ name, endpoint: `https://${host}/run` }));
  await query(
    administrator.databaseUrl,
    "UPDATE identities SET domain_status = 'verified', verified_at = now() WHERE id = $1",
    [own.public_id],
  );
  return { ...own, name, host };
}

type DisputedTask = {
  requester: Party;
  provider: Party;
  taskId: string;
  settlementId: string;
  disputeId: string;
};

/** A funded task with a result that its requester disputes. */
export async function disputedTask(client: Client, administrator: Administrator, title: string): Promise<DisputedTask> {
  const requester = await settleParty(client, administrator, "Harbour Office");
  const provider = await settleParty(client, administrator, "Night Ferry");
  const tasks = new Tasks(client);
  const brief = "Translate the tide table, with every hour.";
  const taskId = await tasks.post(requester, { title, brief, budget: 1_000, visibility: "unlisted" });
  const contract = await tasks.deliver(requester, provider, taskId, "Low water at six.", 1_000);
  const reason = "Half of the hours are missing.";
  const { dispute } = await tasks.step<{ dispute: { dispute_id: string } }>(requester, "dispute", taskId, { reason });
  return {
    requester,
    provider,
    taskId,
    settlementId: contract.settlement_id,
    disputeId: dispute.dispute_id,
  };
}

/** A profile that may post. Its claim is written to the database. */
async function claimedVoice(client: Client, administrator: Administrator): Promise<Member> {
  made += 1;
  const credential = await client.post<Member["credential"]>("community/", {
    action: "register",
    name: `Loud Voice ${Date.now().toString(36)}${made}`,
    ...CONSENTED,
  });
  await query(
    administrator.databaseUrl,
    "UPDATE profiles SET claimed_at = now(), claim_digest = NULL, claim_expires_at = NULL WHERE id = $1",
    [credential.public_id],
  );
  return new Member(client, credential);
}

const OFFENCE = "Buy now, buy all of it.";

/** A post that an owner reported. */
export async function reportedPost(client: Client, administrator: Administrator, title: string, reason: string) {
  const voice = await claimedVoice(client, administrator);
  const post = await voice.post({ title, body: OFFENCE });
  return { voice, ...post, reportId: await reportOf(administrator, "post", post.post_id, reason) };
}

let forbidden: Promise<string> | undefined;

/** A word that posts must not contain; every process of the service knows it. */
async function forbidWord(administrator: Administrator): Promise<string> {
  const word = `zinc${process.pid}x${Date.now().toString(36)}`;
  await query(
    administrator.databaseUrl,
    `INSERT INTO post_patterns (id, kind, pattern, reason, created_by, created_at)
     VALUES ($1, 'literal', $2, 'A flood of advertisements.', 'the tests', now())`,
    [`pat_${word}`, word],
  );
  // Every process knows of a new pattern within two seconds.
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  return word;
}

/** A post that waits, because it breaks a pattern. */
export async function heldPost(client: Client, administrator: Administrator, title: string) {
  forbidden ??= forbidWord(administrator);
  const word = await forbidden;
  const voice = await claimedVoice(client, administrator);
  return { word, ...(await voice.post({ title, body: `Only today: ${word}.` })) };
}

/** An appeal against the withdrawal of a post by the command line. */
export async function appealedAct(client: Client, administrator: Administrator, reason: string) {
  const voice = await claimedVoice(client, administrator);
  const { post_id: postId } = await voice.post({ title: "A bargain", body: OFFENCE });
  const moderationId = `mod_${postId.slice(4)}`;
  await query(
    administrator.databaseUrl,
    `INSERT INTO moderations (id, agent_id, act, subject_id, rule, reason, done_by, at)
     VALUES ($1, $2, 'withdraw', $3, NULL, 'It is an advertisement.', 'the tests', now())`,
    [moderationId, voice.credential.public_id, postId],
  );
  const appeal = { moderation_id: moderationId, reason };
  await client.send("POST", "/api/v1/moderation/appeal.php", voice.credential.community_key, appeal);
  return moderationId;
}

/** A report by a new owner. @returns its ID */
export async function reportOf(
  administrator: Administrator,
  kind: "post" | "agent" | "offer" | "task",
  subjectId: string,
  reason: string,
): Promise<string> {
  made += 1;
  const mark = `${process.pid.toString(36)}${Date.now().toString(36)}${made}`;
  const rest = mark.replaceAll(/[0Il]/g, "o").padEnd(22, "z").slice(0, 22);
  const [ownerId, reportId] = [`own_${rest}`, `rpt_${rest}`];
  await query(
    administrator.databaseUrl,
    "INSERT INTO owners (id, email, name, created_at) VALUES ($1, $2, 'Careful Reader', now())",
    [ownerId, `reader-${mark}@example.com`],
  );
  await query(
    administrator.databaseUrl,
    "INSERT INTO reports (id, subject_kind, subject_id, post_id, owner_id, reason, created_at) VALUES ($1, $2, $3, $4, $5, $6, now())",
    [reportId, kind, subjectId, kind === "post" ? subjectId : null, ownerId, reason],
  );
  return reportId;
}

/** A job that has used up its attempts. A retry finds nothing to do and completes. */
export async function failedJob(administrator: Administrator, publicId: string): Promise<string> {
  const [{ id = "" } = {}] = await query(
    administrator.databaseUrl,
    `SELECT id::text FROM graphile_worker.add_job('recheck-domain', json_build_object('public_id', $1::text),
      run_at => now() + interval '1 year', max_attempts => 3)`,
    [publicId],
  );
  await query(
    administrator.databaseUrl,
    "UPDATE graphile_worker._private_jobs SET attempts = 3, last_error = $2 WHERE id = $1::bigint",
    [id, "Error: the lamp went out\n    at lighthouse.ts:12"],
  );
  return id;
}

/** A Stripe event that could not be processed, and a difference found by the reconciliation. */
export async function failedEvent(administrator: Administrator): Promise<string> {
  made += 1;
  const id = `evt_test${process.pid}x${Date.now()}x${made}`;
  await query(
    administrator.databaseUrl,
    `INSERT INTO stripe_events (id, endpoint, type, livemode, object_id, state, attempts, problem, created_at, received_at)
     VALUES ($1, 'platform', 'charge.refunded', false, 'ch_test', 'failed', 3, 'Stripe: unreachable (none)', now(), now())`,
    [id],
  );
  await query(
    administrator.databaseUrl,
    `INSERT INTO differences (kind, subject_id, books, stripe, remedy, found_at, seen_at)
     VALUES ('cash', $1, 'GBP 10.00', 'GBP 9.00', 'Find out where the pound went.', now(), now())`,
    [id],
  );
  return id;
}

/** A transfer that is queued, as after the approval of a LIVE settlement. */
export async function heldTransfer(administrator: Administrator, dispute: DisputedTask): Promise<void> {
  await query(
    administrator.databaseUrl,
    `INSERT INTO transfer_intents (id, settlement_id, provider_id, amount_pence, created_at)
     VALUES ('trf_' || substr($1, 5), $1, $2, 900, now())`,
    [dispute.settlementId, dispute.provider.public_id],
  );
}
