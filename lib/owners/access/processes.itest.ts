import assert from "node:assert/strict";
import { test } from "node:test";
import { reissueToken } from "#lib/admin/reissue.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { type AccessAgent, withAccess } from "#testing/access.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { openStream } from "#testing/event-stream.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { type ApiProcess, request, startApiProcess } from "#testing/processes/processes.ts";

let processes: ApiProcess[];
testService({}, async () => {
  processes = await Promise.all([startApiProcess({}), startApiProcess({})]);
  return () => Promise.all(processes.map((process) => process.stop()));
});

const set = (columns: string) => async (agent: TestAgent) =>
  void (await pool().query(`UPDATE identities SET ${columns} WHERE id = $1`, [agent.publicId]));

/** What ends a token, and what the very next calls get: a read and a write. */
const ENDS: Record<string, [(agent: TestAgent, access: AccessAgent) => Promise<unknown>, read: number, write: number]> =
  {
    "its removal": [
      async (agent, { accessId }) =>
        succeeded(await callAs(agent, "POST", "/api/v1/agents/access_remove.php", { access_id: accessId })),
      401,
      401,
    ],
    "its expiry": [
      (_agent, { accessId }) =>
        pool().query("UPDATE access_tokens SET expires_at = now() - interval '1 second' WHERE id = $1", [accessId]),
      401,
      401,
    ],
    "a new management token": [
      async (agent) => {
        await set("held_at = now() - interval '1 minute', domain_checked_at = now()")(agent);
        await reissueToken(admin, { publicId: agent.publicId, reason });
      },
      401,
      401,
    ],
    "a suspension": [({ publicId }) => suspendIdentity(admin, { publicId, reason }), 403, 403],
    // Whoever is frozen or held may still look on, with any credential.
    "a freeze": [set("frozen_at = now()"), 200, 403],
    "a hold": [set("held_at = now()"), 200, 403],
  };

for (const [what, [end, read, write]] of Object.entries(ENDS))
  test(`after ${what} every process refuses the very next call, and streams that it ends are closed`, async () => {
    const agent = await verifiedAgent();
    const access = await withAccess(agent, ["read", "order"]);
    const as = (fields: object = {}) => ({ token: access.token, fields: { public_id: agent.publicId, ...fields } });
    const task = { brief: "B", budget_pence: 0, client_request_id: "one" };
    const streams = await Promise.all(
      processes.map(({ url }) => openStream(url, { token: access.token, query: { public_id: agent.publicId } })),
    );
    await end(agent, access);
    for (const { url } of processes) {
      assert.equal((await request(url, "GET", "jobs/inbox.php", as())).status, read);
      assert.equal((await request(url, "POST", "jobs/create.php", as(task))).status, write);
    }
    // An expiry that the database alone knows of is seen at the token's own time only.
    if (read !== 200 && what !== "its expiry") await Promise.all(streams.map(({ ended }) => ended));
    for (const stream of streams) stream.close();
  });

test("an inbox poll with an access token takes as many statements as with a management token", async () => {
  const agent = await verifiedAgent();
  const access = await withAccess(agent, ["work"]);
  const statements: string[] = [];
  const real = pool().query;
  const count = async (by: TestAgent) => {
    // The first use of a minute is recorded.
    await callAs(by, "GET", "/api/v1/jobs/inbox.php");
    statements.length = 0;
    succeeded(await callAs(by, "GET", "/api/v1/jobs/inbox.php"));
    assert.ok(statements.length > 0);
    return statements.length;
  };
  pool().query = function (this: unknown, ...given: unknown[]) {
    statements.push(String((given[0] as { name?: string }).name));
    return Reflect.apply(real, pool(), given);
  } as typeof real;
  try {
    assert.equal(await count(access), await count(agent), statements.join(", "));
  } finally {
    pool().query = real;
  }
});
