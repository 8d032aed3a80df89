import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { closeDatabase, pool, prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { withClient } from "#lib/db/with-client.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { LOG_KEY } from "../../sdk/testing/made-up-platform.ts";
import { isPassing } from "./failure.ts";
import { answerLog } from "./log-resources.ts";

// Real failures, because the shapes of their errors differ between versions of Prisma and pg. Each must pass as temporary.

testService();

test("an installation that cannot sign says when to ask again", async () => {
  await configure({ WITNESS_LOGS: `guild.example/log ${LOG_KEY}` });
  const answer = await answerLog(new Request("http://localhost/witness/key"), "/witness/key");
  const { error } = JSON.parse(String(answer.body)) as { error: { code: string; retry_after_seconds: number } };
  assert.deepEqual(
    [answer.status, error.code, error.retry_after_seconds, answer.headers["Retry-After"]],
    [503, "temporarily_unavailable", 60, "60"],
  );
  await configure();
});

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => assert.fail("nothing failed"),
    (error: unknown) => error,
  );
}

async function assertPasses(work: Promise<unknown>): Promise<void> {
  const error = await errorOf(work);
  assert.ok(isPassing(error), `${error}`);
}

const END_OWN = "SELECT pg_terminate_backend(pg_backend_pid())";

test("temporary: the server ends the connection during a statement", async () => {
  await assertPasses(pool().query(END_OWN));
  await assertPasses(prisma().$queryRawUnsafe(END_OWN));
  await assertPasses(transaction((tx) => tx.$queryRawUnsafe(END_OWN)));
});

test("temporary: the server ends the connection of a transaction that waits for a row", async () => {
  const ownerId = newId("own");
  await prisma().owner.create({
    data: { id: ownerId, name: "O", email: `${ownerId}@example.com`, createdAt: new Date() },
  });
  await withClient(env().databaseUrl ?? "", async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM owners WHERE id = $1 FOR UPDATE", [ownerId]);
    const waiting = assertPasses(transaction((tx) => tx.owner.update({ where: { id: ownerId }, data: { name: "P" } })));
    const end =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    // Not in the transaction, which would see the same sessions again and again.
    for (let ended = 0; ended === 0; ) ended = (await pool().query(end)).rowCount ?? 0;
    await waiting;
  });
});

test("temporary: the connection is lost within a transaction, or the transaction has ended", async () => {
  await assertPasses(
    transaction(async (tx) => {
      await tx.$queryRawUnsafe(END_OWN).catch(() => undefined);
      await tx.owner.count();
    }),
  );
  let ended: { owner: { count(): Promise<number> } } | undefined;
  await transaction(async (tx) => {
    ended = tx;
  });
  await assertPasses(ended?.owner.count() as Promise<number>);
});

test("temporary: a statement takes too long, or follows a failed one", async () => {
  await assertPasses(
    transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = 20`;
      await tx.$queryRaw`SELECT pg_sleep(5)::text`;
    }),
  );
  await assertPasses(
    transaction(async (tx) => {
      await tx.$queryRawUnsafe("SELECT 1/0").catch(() => undefined);
      await tx.owner.count();
    }),
  );
});

/** A server that refuses every connection as PostgreSQL does, with this SQLSTATE. */
async function refusing(code: string, message: string) {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`;
  const answer = Buffer.concat([Buffer.from("E"), Buffer.alloc(4), Buffer.from(fields)]);
  answer.writeInt32BE(4 + fields.length, 1);
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `postgresql://u:p@127.0.0.1:${(server.address() as AddressInfo).port}/d`, server };
}

/** Lets the service's own connections go to this server during `work`. */
async function connectedTo(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  await closeDatabase();
  await configure({ DATABASE_URL: databaseUrl });
  try {
    await work();
  } finally {
    await closeDatabase();
    await configure();
  }
}

for (const [code, message] of [
  ["57P03", "the database system is starting up"],
  ["57P01", "terminating connection due to administrator command"],
  ["53300", "sorry, too many clients already"],
] as const) {
  test(`temporary: the server refuses connections with ${code}`, async () => {
    const { url, server } = await refusing(code, message);
    try {
      await connectedTo(url, async () => {
        await assertPasses(pool().query("SELECT 1"));
        await assertPasses(prisma().$queryRaw`SELECT 1`);
        await assertPasses(prisma().owner.count());
        await assertPasses(transaction((tx) => tx.owner.count()));
      });
    } finally {
      server.close();
    }
  });
}

test("temporary: the server hangs up, or is not there", async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ask = async () => {
    await assertPasses(pool().query("SELECT 1"));
    await assertPasses(prisma().owner.count());
    await assertPasses(transaction((tx) => tx.owner.count()));
  };
  await connectedTo(`postgresql://u:p@127.0.0.1:${port}/d`, ask);
  server.close();
  await once(server, "close");
  await connectedTo(`postgresql://u:p@127.0.0.1:${port}/d`, ask);
  // Two addresses, neither of which answers: Node reports both in one AggregateError.
  await connectedTo(`postgresql://u:p@localhost:${port}/d`, ask);
});

test("internal: a wrong statement", async () => {
  for (const wrong of ["SELECT nothing", "SELECT 1/0", "SELECT * FROM missing"]) {
    assert.ok(!isPassing(await errorOf(pool().query(wrong))), wrong);
    assert.ok(!isPassing(await errorOf(prisma().$queryRawUnsafe(wrong))), wrong);
  }
});
