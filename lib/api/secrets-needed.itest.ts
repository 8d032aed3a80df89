import assert from "node:assert/strict";
import { test } from "node:test";
import { readKeys } from "#lib/admin/keys.ts";
import { pool } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { seal, versionOf } from "#lib/kernel/keys.ts";
import { replaceRecoveryCodes } from "#lib/owners/factors/recovery-codes.ts";
import { testService } from "#testing/client.ts";
import { actAs } from "#testing/community.ts";
import { signedInOwner } from "#testing/owner.ts";
import {
  ALL_WORK,
  hold,
  makeUnversioned,
  NEW,
  OLD,
  OTHER,
  type Secrets,
  start,
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
