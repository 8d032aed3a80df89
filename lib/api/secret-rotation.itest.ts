import assert from "node:assert/strict";
import { test } from "node:test";
import { encode } from "next-auth/jwt";
import { readKeys } from "#lib/admin/keys.ts";
import { pool } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { findServiceActor } from "#lib/identity/read.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { seal, versionOf } from "#lib/kernel/keys.ts";
import { digestSecret, digestsOf, newSecret } from "#lib/kernel/secrets.ts";
import { replaceRecoveryCodes } from "#lib/owners/factors/recovery-codes.ts";
import { sessionCookie } from "#lib/owners/sessions/cookies.ts";
import { findBySession } from "#lib/owners/sessions/session.ts";
import { readSessionToken } from "#lib/owners/sessions/session-token.ts";
import { signOut } from "#lib/owners/sign-in/sign-out.ts";
import { outcome, testService } from "#testing/client.ts";
import { actAs, actAsOwner, member } from "#testing/community.ts";
import { registerAgent } from "#testing/factories.ts";
import { signedInOwner, type TestOwner } from "#testing/owner.ts";
import { statementsOf } from "#testing/plans.ts";
import {
  ALL_WORK,
  configurations,
  currentDigests,
  hold,
  makeUnversioned,
  NEW,
  NONE_WORKS,
  OLD,
  OTHER,
  type Secrets,
  start,
  storedDigests,
  use,
} from "#testing/secret-rotation.ts";

testService({ AUTH_SECRET: OLD });

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

test("while processes change their secret one after the other, each of them takes what another has renewed", async () => {
  await start(OLD);
  const held = [await hold(), await makeUnversioned(await hold())];
  // While one process has the next configuration, another still has the one before it, and calls come to either of them.
  for (const [one, other] of [
    [[OLD], [OLD, NEW]],
    [
      [OLD, NEW],
      [NEW, OLD],
    ],
  ] as [Secrets, Secrets][])
    for (const secrets of configurations(one, other, one, other)) {
      await start(...secrets);
      for (const each of held) assert.deepEqual(await use(each), ALL_WORK, `${secrets}`);
    }
  await start(NEW);
  for (const each of held) assert.deepEqual((await use(each)).slice(0, 3), ALL_WORK.slice(0, 3));
});

test("digests without a version still work, are renewed on use, and can be rotated at once", async () => {
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

test("an unknown secret is refused under any configuration, and changes nothing", async () => {
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
