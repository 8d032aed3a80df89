import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { testService } from "#testing/client.ts";
import { browserHeaders } from "#testing/owner.ts";
import { type ApiProcess, request, startApiProcess } from "#testing/processes/processes.ts";
import {
  ALL_WORK,
  configurations,
  type Held,
  hold,
  makeUnversioned,
  NEW,
  OLD,
  type Secrets,
  start,
  started,
  use,
} from "#testing/secret-rotation.ts";

testService({ AUTH_SECRET: OLD });

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
      // Between two rounds there is time for the processes that start.
      await delay(20);
    }
  };
  const workers = held.map(worker);
  return {
    refused,
    /** Lets every worker do this many more rounds, give or take. */
    async more(count: number) {
      const until = rounds + count * held.length;
      while (rounds < until && running) await delay(10);
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
  const held = await Promise.all(Array.from({ length: 2 }, hold));
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
        assert.equal(leaving.output(), "");
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
    processes.map((process) => process.output()),
    ["", ""],
  );
});
