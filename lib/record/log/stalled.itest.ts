import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { readyz } from "#lib/api/probes.ts";
import { testService } from "#testing/client.ts";
import { settled } from "#testing/events.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { postTask } from "#testing/workflow.ts";
import { readEvents, recipientsOf } from "../read.ts";
import { startRecord } from "../record.ts";
import { query } from "./connection.ts";
import { beginLog } from "./enter.ts";
import { readLogs } from "./read.ts";

let record: ReturnType<typeof startRecord>;
let owner: pg.Client;
let agent: TestAgent;
const service = testService({}, async () => {
  await beginLog();
  record = startRecord();
  owner = new pg.Client({ connectionString: service.ownerUrl });
  await owner.connect();
  agent = await verifiedAgent();
  await until(isEntered);
  return async () => {
    await owner.end();
    await record.stop();
  };
});

async function until(isTrue: () => Promise<boolean | undefined>): Promise<void> {
  while (!(await isTrue())) await delay(30);
}

async function isEntered() {
  const [row] = await query<{ done: boolean }>(
    "SELECT (SELECT count(*) FROM log_statements) = (SELECT count(*) FROM log_leaves) AS done",
  );
  return row?.done;
}

const reason = async () => (await readLogs())[0]?.refusal;

test("while statements cannot be entered in the log, events get their positions; the log says why, and catches up", async () => {
  const start = await settled();
  await owner.query("ALTER TABLE log_leaves RENAME TO log_leaves_away");
  const posted = [await postTask(agent), await postTask(agent)].map(({ task_id }) => task_id);
  await until(async () => (await reason()) !== null);
  assert.match((await reason()) ?? "", /^New entries could not be added to the log since 20.*Z\. /);
  const { details } = await (await readyz()).json();
  assert.deepEqual(details.log, { signed: false, reason: await reason() });
  await settled();
  const { events } = await readEvents(recipientsOf({ kind: "service", id: agent.publicId }), {
    after: start,
    limit: 10,
  });
  assert.deepEqual(
    events.map(({ subject }) => subject.id),
    posted,
  );
  await owner.query("ALTER TABLE log_leaves_away RENAME TO log_leaves");
  await until(isEntered);
  assert.equal(await reason(), null);
});
