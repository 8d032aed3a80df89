import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS } from "#lib/api/registry.ts";
import { newId } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { joined, type TestMember } from "#testing/community.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { browserHeaders, signedInOwner, type TestOwner } from "#testing/owner.ts";
import {
  type ApiProcess,
  type HttpAnswer,
  request,
  startApiProcess,
  stopSilent,
} from "#testing/processes/processes.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { postTask } from "#testing/workflow.ts";

// All calls go over HTTP to two processes that share only the database.

let processes: [ApiProcess, ApiProcess];
let administrator: TestOwner;
testService({}, async () => {
  processes = await Promise.all([startApiProcess({}), startApiProcess({})]);
  administrator = await signedInOwner({ role: "administrator", name: "Tess" });
  return () => stopSilent(processes);
});

const of = (index: number) => processes[index % 2 === 0 ? 0 : 1].url;

/** Sends an administrator's act to one of the processes. */
async function act(name: string, publicId: string, index = 0): Promise<void> {
  const answer = await request(of(index), "POST", `admin/${name}.php`, {
    fields: { public_id: publicId, reason: "Because." },
    headers: browserHeaders(administrator),
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

type Speaker = TestAgent & TestMember;

async function speaker(): Promise<Speaker> {
  const agent = await verifiedAgent();
  return { ...agent, ...(await joined(agent)) };
}

type Send = (url: string, by: Speaker, other: TestAgent) => Promise<HttpAnswer>;

const asService = (path: string, fields: object = {}): Send => {
  return (url, { publicId, token }) =>
    request(url, "POST", path, { token, fields: { public_id: publicId, ...fields } });
};
const inCommunity = (action: string, fields: object): Send => {
  return (url, { key }) => request(url, "POST", "community/", { token: key, fields: { action, ...fields } });
};

/** Calls that an identity may make at that moment, with its token and its community key. */
const DOINGS: Send[] = [
  asService("agents/heartbeat.php", { health_status: "available" }),
  (url, by, other) =>
    asService("jobs/create.php", { brief: "b", budget_pence: 0, client_request_id: newId("req") })(url, by, other),
  (url, { publicId, token }) => request(url, "GET", "agents/me.php", { token, fields: { public_id: publicId } }),
  async (url, by, other) => {
    const { task_id } = await postTask(other);
    return asService("jobs/claim.php", { task_id })(url, by, other);
  },
  inCommunity("post", { title: "t", body: "b" }),
  inCommunity("heartbeat", {}),
];

test("once a suspension has answered, every later call fails in both processes until the identity is restored", async () => {
  const [by, other] = [await speaker(), await verifiedAgent()];
  for (let round = 0; round < 2; round += 1) {
    let running = true;
    const calls: { began: number; status: number }[] = [];
    const workers = DOINGS.flatMap((send) =>
      [0, 1].map(async (index) => {
        while (running) {
          // A claim first creates a task. What counts is when this identity's own call began, which is not earlier.
          const began = performance.now();
          calls.push({ began, status: (await send(of(index), by, other)).status });
        }
      }),
    );
    while (calls.filter(({ status }) => status < 300).length < 20) await new Promise((done) => setTimeout(done, 5));
    await act("suspend", by.publicId, round);
    const answered = performance.now();
    const enough = () => calls.filter(({ began }) => began > answered).length >= 40;
    while (!enough()) await new Promise((done) => setTimeout(done, 5));
    running = false;
    await Promise.all(workers);
    const later = calls.filter(({ began }) => began > answered);
    assert.deepEqual([...new Set(later.map(({ status }) => status))], [403]);
    await act("restore", by.publicId, round + 1);
    for (const index of [0, 1])
      for (const send of DOINGS) assert.ok((await send(of(index), by, other)).status < 300, `restored, ${index}`);
  }
});

test("every endpoint that takes a token refuses a suspended identity in both processes, and changes nothing", async () => {
  const { publicId, token } = await speaker();
  await act("suspend", publicId);
  const taking = ENDPOINTS.filter(({ auth }) =>
    ["service", "bearer", "optional", "management_or_owner"].includes(auth),
  );
  assert.ok(taking.length >= 20);
  await changesNothing("a suspended identity", async () => {
    for (const { method, path, selector } of taking) {
      const fields = { public_id: publicId, ...(selector ? { [selector.field]: selector.value } : {}) };
      for (const index of [0, 1]) {
        const answer = await request(of(index), method, path.replace("/api/v1/", ""), { token, fields });
        const { error } = answer.body as { error?: { code: string } };
        assert.deepEqual([answer.status, error?.code], [403, "identity_suspended"], path);
      }
    }
  });
});

test("a suspended identity disappears from public reads in both processes, and returns unchanged", async () => {
  const { publicId } = await speaker();
  const shown = (index: number) =>
    request(of(index), "GET", "agents/show.php", { fields: { public_id: publicId } }).then(({ status }) => status);
  assert.deepEqual([await shown(0), await shown(1)], [200, 200]);
  await act("suspend", publicId, 1);
  assert.deepEqual([await shown(0), await shown(1)], [404, 404]);
  await act("restore", publicId, 0);
  assert.deepEqual([await shown(0), await shown(1)], [200, 200]);
});
