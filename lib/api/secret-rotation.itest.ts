import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { encode } from "next-auth/jwt";
import { readKeys } from "#lib/admin/keys.ts";
import { pool } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { findServiceActor } from "#lib/identity/read.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { seal, versionOf } from "#lib/kernel/keys.ts";
import { digestSecret, digestsOf, newSecret } from "#lib/kernel/secrets.ts";
import { sessionCookie } from "#lib/owners/cookies.ts";
import { replaceRecoveryCodes } from "#lib/owners/factors/recovery-codes.ts";
import { findBySession, readSessionToken } from "#lib/owners/session.ts";
import { signOut } from "#lib/owners/sign-out.ts";
import { outcome, startTestService } from "#lib/testing/client.ts";
import {
  act,
  actAs,
  actAsOwner,
  look,
  member,
  type Proposed,
  proposed,
  type TestMember,
} from "#lib/testing/community.ts";
import { configure } from "#lib/testing/configuration.ts";
import { callAs, registerAgent, type TestAgent } from "#lib/testing/factories.ts";
import { browserHeaders, signedInOwner, type TestOwner } from "#lib/testing/owner.ts";
import { statementsOf } from "#lib/testing/plans.ts";
import { type ApiProcess, request, startApiProcess } from "#lib/testing/processes.ts";

const OLD = "the-secret-that-the-service-began-with";
const NEW = "the-secret-that-takes-its-place-one-day";
const OTHER = "a-secret-that-neither-of-the-two-knows";

let service: Awaited<ReturnType<typeof startTestService>>;
before(async () => {
  service = await startTestService({ AUTH_SECRET: OLD });
});
after(() => service.stop());

/** The configuration of a service that was started with these secrets, the current one first. */
type Secrets = readonly [current: string, ...previous: string[]];
const started = ([current, ...previous]: Secrets) => ({
  AUTH_SECRET: current,
  AUTH_SECRET_PREVIOUS: previous.join(" "),
});
const configurations = (...all: Secrets[]) => all;
const start = (...secrets: Secrets) => configure(started(secrets));

/** One of everything that people and agents hold. */
type Held = { agent: TestAgent; member: TestMember; link: Proposed; owner: TestOwner };

async function hold(): Promise<Held> {
  const owner = await signedInOwner();
  return { agent: await registerAgent(), member: await member({}, owner), link: await proposed(), owner };
}

const KINDS = ["management token", "community key", "claim link", "session"] as const;

/** How each of them is answered. */
async function use({ agent, member, link, owner }: Held): Promise<string[]> {
  const answers = [
    await callAs(agent, "GET", "/api/v1/agents/me.php"),
    await actAs(member, "heartbeat"),
    await act("claim_preview", { claim_token: link.claimToken }),
    await look("session", {}, { headers: browserHeaders(owner) }),
  ];
  return answers.map((answer, index) => `${KINDS[index]}: ${outcome(answer)}`);
}
const ALL_WORK = KINDS.map((kind) => `${kind}: 200`);
const NONE_WORKS = KINDS.map((kind) => `${kind}: 401 invalid_credential`);

/** The digests that are stored, of those that are renewed. */
async function storedDigests({ agent, member, link }: Held): Promise<Buffer[]> {
  const { rows } = await pool().query<{ digest: Buffer }>(
    `SELECT token_digest AS digest, 1 AS n FROM identities WHERE id = $1
     UNION ALL SELECT key_digest, 2 FROM profiles WHERE id = $2
     UNION ALL SELECT claim_digest, 3 FROM profiles WHERE id = $3 ORDER BY n`,
    [agent.publicId, member.publicId, link.publicId],
  );
  return rows.map(({ digest }) => digest);
}
const currentDigests = ({ agent, member, link }: Held) => [agent.token, member.key, link.claimToken].map(digestSecret);

/** As everything was stored, and cookies were written, before keys were derived: under the secret itself, without a version. */
async function makeUnversioned(held: Held): Promise<Held> {
  const { agent, member, link, owner } = held;
  const unversioned = (secret: string) =>
    createHmac("sha256", env().authSecret ?? "")
      .update(secret)
      .digest();
  const sid = (await readSessionToken(owner.cookie.split("=")[1] ?? "")) ?? "";
  const current = (await findBySession(sid))?.sessionDigest;
  const change = (table: string, column: string, id: string, secret: string) =>
    pool().query(`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [unversioned(secret), id]);
  await change("identities", "token_digest", agent.publicId, agent.token);
  await change("profiles", "key_digest", member.publicId, member.key);
  await change("profiles", "claim_digest", link.publicId, link.claimToken);
  await pool().query("UPDATE owner_sessions SET id_digest = $1 WHERE id_digest = $2", [unversioned(sid), current]);
  const cookie = await encode({ token: { sid }, secret: env().authSecret ?? "", maxAge: 3600 });
  // Pages ask for a new CSRF token when theirs is refused, so its old form is not accepted any more.
  const csrfToken = (await findBySession(sid))?.csrfToken ?? "";
  return { ...held, owner: { ...owner, csrfToken, cookie: `${sessionCookie().name}=${cookie}` } };
}

// Before anything else is stored.
test("the administrator sees which secrets are still needed, and when a previous one can go", async () => {
  await start(OLD);
  const [held, rest] = [await hold(), await hold()];
  const unversioned = await makeUnversioned(await hold());
  await start(NEW, OLD, OTHER);
  const counts = async () => {
    const { current, previous, credentials, no_longer_needed } = await readKeys();
    const versions = [current, ...previous];
    assert.equal(new Set(versions).size, 3);
    const row = (kind: string) => {
      const { current: now, previous: before, without_version, unknown } = credentials[kind] ?? assert.fail(kind);
      return [now, ...previous.map((version) => before[version]), without_version, unknown];
    };
    return {
      tokens: row("management_tokens"),
      keys: row("community_keys"),
      links: row("claim_links"),
      sessions: row("sessions"),
      free: no_longer_needed.map((version) => ["NEW", "OLD", "OTHER"][versions.indexOf(version)]),
    };
  };
  // In the order NEW, OLD, OTHER, without version, unknown. A profile that waits for its claim has a key as well.
  assert.deepEqual(await counts(), {
    tokens: [0, 2, 0, 1, 0],
    keys: [0, 5, 0, 1, 0],
    links: [0, 2, 0, 1, 0],
    sessions: [0, 2, 0, 1, 0],
    free: [],
  });
  for (const each of [held, unversioned]) assert.deepEqual(await use(each), ALL_WORK);
  assert.deepEqual(await counts(), {
    tokens: [2, 1, 0, 0, 0],
    keys: [2, 4, 0, 0, 0],
    links: [2, 1, 0, 0, 0],
    sessions: [0, 2, 0, 1, 0],
    free: [],
  });
  await pool().query("UPDATE owner_sessions SET revoked_at = now() WHERE length(id_digest) = 32");
  assert.deepEqual((await counts()).free, ["OTHER"]);

  assert.deepEqual(await use(rest), ALL_WORK);
  for (const { link } of [held, rest, unversioned]) await actAs(link, "heartbeat");
  await pool().query("UPDATE owner_sessions SET last_used_at = now() - interval '13 hours'");
  assert.deepEqual(await counts(), {
    tokens: [3, 0, 0, 0, 0],
    keys: [6, 0, 0, 0, 0],
    links: [3, 0, 0, 0, 0],
    sessions: [0, 0, 0, 0, 0],
    free: ["OLD", "OTHER"],
  });
});

test("everything keeps working when AUTH_SECRET is replaced, and what has been used no longer needs the old secret", async () => {
  await start(OLD);
  const [used, unused] = [await hold(), await hold()];
  await start(NEW, OLD);
  assert.notDeepEqual(await storedDigests(used), currentDigests(used));
  assert.deepEqual(await use(used), ALL_WORK);
  assert.deepEqual(await storedDigests(used), currentDigests(used));
  assert.deepEqual(await use(used), ALL_WORK);

  await start(NEW);
  // A session's cookie is with the browser, under the old secret: it ends with that.
  assert.deepEqual(await use(used), [...ALL_WORK.slice(0, 3), ...NONE_WORKS.slice(3)]);
  assert.deepEqual(await use(unused), NONE_WORKS);
  await start(NEW, OLD);
  assert.deepEqual(await use(unused), ALL_WORK);
});

test("what was stored before digests had a version works, is renewed on use, and can be rotated at once", async () => {
  for (const secrets of configurations([OLD], [NEW, OLD])) {
    await start(OLD);
    const held = await makeUnversioned(await hold());
    await start(...secrets);
    assert.deepEqual(await use(held), ALL_WORK);
    assert.deepEqual(await storedDigests(held), currentDigests(held));
    assert.deepEqual(await use(held), ALL_WORK);
    await start(OTHER);
    assert.deepEqual(await use(held), NONE_WORKS);
  }
});

test("an unknown secret is refused whatever secrets are configured, and changes nothing that is stored", async () => {
  await start(OLD);
  const held = await hold();
  const before = await storedDigests(held);
  for (const secrets of configurations([OLD], [NEW, OLD], [NEW, OTHER, OLD])) {
    await start(...secrets);
    const stranger = {
      ...held,
      agent: { ...held.agent, token: newSecret("ghm") },
      member: { ...held.member, key: newSecret("ghc") },
      link: { ...held.link, claimToken: newSecret("ghk") },
      owner: {
        ...held.owner,
        cookie: `${sessionCookie().name}=${await encode({ token: { sid: "x" }, secret: "x", maxAge: 60 })}`,
      },
    };
    assert.deepEqual(await use(stranger), NONE_WORKS);
  }
  assert.deepEqual(await storedDigests(held), before);
});

test("a credential under the current key costs one statement; under another key it costs two and its renewal", async () => {
  await start(OLD);
  const { token } = await registerAgent();
  const statements = async () => {
    const sent = await statementsOf(async () => assert.ok(await findServiceActor(digestsOf(token))));
    return sent.map(({ text }) => /^\w+/.exec(text)?.[0]);
  };
  assert.deepEqual(await statements(), ["SELECT"]);
  await start(NEW, OLD);
  assert.deepEqual(await statements(), ["SELECT", "SELECT", "UPDATE"]);
  assert.deepEqual(await statements(), ["SELECT"]);
});

test("a credential works although its row is locked, and is renewed at a later use", async () => {
  await start(OLD);
  const { publicId, token } = await registerAgent();
  await start(NEW, OLD);
  const other = await pool().connect();
  try {
    await other.query("BEGIN");
    await other.query("SELECT FROM identities WHERE id = $1 FOR UPDATE", [publicId]);
    assert.equal((await findServiceActor(digestsOf(token)))?.id, publicId);
  } finally {
    await other.query("ROLLBACK");
    other.release();
  }
  await findServiceActor(digestsOf(token));
  const { rows } = await pool().query("SELECT token_digest FROM identities WHERE id = $1", [publicId]);
  assert.deepEqual(rows[0].token_digest, digestSecret(token));
});

test("a replaced community key stays invalid, even if its digest is renewed at the same moment", async () => {
  for (let round = 0; round < 10; round += 1) {
    await start(OLD);
    const { publicId, key, owner } = await member();
    await start(NEW, OLD);
    const [rotated] = await Promise.all([
      actAsOwner<{ community_key: string }>(owner, "rotate_key", { public_id: publicId }),
      ...Array.from({ length: 5 }, () => actAs({ publicId, key }, "heartbeat")),
    ]);
    assert.equal(outcome(rotated), "200");
    assert.equal(outcome(await actAs({ publicId, key }, "heartbeat")), "401 invalid_credential");
    assert.equal(outcome(await actAs({ publicId, key: rotated.body.community_key }, "heartbeat")), "200");
  }
});

test("a page that was loaded before the rotation can still write: its CSRF token counts, and no other session's does", async () => {
  await start(OLD);
  const [owner, other] = [await signedInOwner(), await signedInOwner()];
  const { publicId } = await member({}, owner);
  await start(NEW, OLD);
  const write = (sender: TestOwner) => actAsOwner(sender, "profile", { public_id: publicId, bio: "x" });
  assert.equal(outcome(await write(owner)), "200");
  for (const csrfToken of [
    other.csrfToken,
    `${owner.csrfToken}A`,
    `${owner.csrfToken}=`,
    owner.csrfToken.slice(0, -1),
    "",
  ])
    assert.equal(outcome(await write({ ...owner, csrfToken })), "403 csrf_failed");
  await start(NEW);
  assert.equal(outcome(await write(owner)), "401 invalid_credential");
});

test("signing out after the rotation ends a session that was opened before it", async () => {
  await start(OLD);
  const { cookie } = await signedInOwner();
  const sid = (await readSessionToken(cookie.split("=")[1] ?? "")) ?? "";
  await start(NEW, OLD);
  assert.ok(await findBySession(sid));
  await signOut(visitorContext(), sid);
  assert.equal(await findBySession(sid), undefined);
});

test("recovery codes and authenticator apps are counted by the secret that they depend on, or as unknown", async () => {
  await start(OLD);
  const { ownerId } = await signedInOwner();
  await pool().query("INSERT INTO owner_totps (owner_id, secret, created_at) VALUES ($1, $2, now())", [
    ownerId,
    seal(Buffer.alloc(20), ownerId),
  ]);
  await transaction((tx) => replaceRecoveryCodes(tx, systemClock, ownerId));
  const old = versionOf(OLD).toString("hex");
  const none = { current: 0, previous: {}, without_version: 0, unknown: 0 };
  for (const [secrets, expected] of [
    [[OLD], (count: number) => ({ ...none, current: count })],
    [[NEW, OLD], (count: number) => ({ ...none, previous: { [old]: count } })],
    [[NEW], (count: number) => ({ ...none, unknown: count })],
  ] as [Secrets, (count: number) => object][]) {
    await start(...secrets);
    const { credentials } = await readKeys();
    assert.deepEqual([credentials.authenticator_apps, credentials.recovery_codes], [expected(1), expected(10)]);
  }
});

/** Sends all kinds of credentials to whichever processes are there, one request after the other for each of them. */
function traffic(urls: string[], held: Held[]) {
  const refused = new Set<string>();
  let [sent, rounds, running] = [0, 0, true];
  const send = async (what: string, method: "GET" | "POST", path: string, options: object): Promise<void> => {
    const url = urls[sent++ % urls.length] ?? "";
    // A process that stops closes connections; who wants to use one at that moment connects again.
    const answer = await request(url, method, path, options).catch(() => undefined);
    if (!answer) return running ? send(what, method, path, options) : undefined;
    if (answer.status !== 200) refused.add(`${what}: ${answer.status} ${JSON.stringify(answer.body.error)}`);
  };
  const worker = async ({ agent, member, link, owner }: Held) => {
    const headers = browserHeaders(owner);
    while (running) {
      await Promise.all([
        send("token", "GET", "agents/me.php", { token: agent.token, fields: { public_id: agent.publicId } }),
        send("token", "GET", "jobs/inbox.php", { token: agent.token, fields: { public_id: agent.publicId } }),
        send("key", "POST", "community/", { token: member.key, fields: { action: "heartbeat" } }),
        send("link", "POST", "community/", { fields: { action: "claim_preview", claim_token: link.claimToken } }),
        send("session", "GET", "community/", { headers, fields: { view: "session" } }),
        send("write", "POST", "community/", {
          headers,
          fields: { action: "profile", public_id: member.publicId, bio: "x" },
        }),
      ]);
      rounds += 1;
    }
  };
  const workers = held.map(worker);
  return {
    refused,
    /** Lets every worker do this many more rounds, give or take. */
    async more(count: number) {
      const until = rounds + count * held.length;
      while (rounds < until && running) await new Promise((done) => setTimeout(done, 10));
    },
    async stop() {
      running = false;
      await Promise.all(workers);
    },
  };
}

/** What the processes say is a defect here, warnings included. */
const begin = (...secrets: Secrets) => startApiProcess({ ...started(secrets), LOG_LEVEL: "warn" });

test("two processes change their secret one after the other under load, and no valid credential is ever refused", async () => {
  await start(OLD);
  const held = await Promise.all(Array.from({ length: 4 }, hold));
  held.push(await makeUnversioned(await hold()));
  const processes = [await begin(OLD), await begin(OLD)] as [ApiProcess, ApiProcess];
  const urls = processes.map(({ url }) => url);
  const load = traffic(urls, held);
  try {
    await load.more(3);
    for (const secrets of configurations([OLD, NEW], [NEW, OLD])) {
      for (const index of [0, 1] as const) {
        const next = await begin(...secrets);
        // Requests that are on their way to it still reach the process that leaves.
        const leaving = processes[index];
        urls[index] = next.url;
        processes[index] = next;
        await load.more(3);
        await leaving.stop();
        assert.equal(leaving.said(), "");
        // One process has the new configuration and the other one still has its old one.
        await load.more(6);
      }
    }
    await load.stop();
    assert.deepEqual([...load.refused], []);

    await start(NEW, OLD);
    for (const each of held) assert.deepEqual(await use(each), ALL_WORK);
    await start(NEW);
    for (const each of held) assert.deepEqual((await use(each)).slice(0, 3), ALL_WORK.slice(0, 3));
  } finally {
    await load.stop();
    await Promise.all(processes.map((process) => process.stop()));
  }
  assert.deepEqual(
    processes.map((process) => process.said()),
    ["", ""],
  );
});
