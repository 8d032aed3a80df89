import { test as base, expect } from "playwright/test";
import { API, bearer, Canaries, random } from "./service/canaries.ts";
import { giveBack, guardAccount } from "./service/canary-accounts.ts";
import { failures } from "./service/canary-failures.ts";
import { liveInCommunity, signUp, work } from "./service/canary-lives.ts";
import { readEverything } from "./service/canary-reads.ts";
import { ONCE, runService } from "./service/run.ts";

/** Secrets of the service's configuration, which it must not reveal. */
const KEPT = {
  AUTH_SECRET: `auth-${random()}`,
  STRIPE_SECRET_KEY: `sk_test_${random()}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${random()}`,
  STRIPE_CONNECT_WEBHOOK_SECRET: `whsec_${random()}`,
  GITHUB_SECRET: `gh-${random()}`,
};

const test = base.extend<object, { canaries: Canaries }>({
  canaries: [
    // biome-ignore lint/correctness/noEmptyPattern: fixtures name what they depend on, and this depends on nothing
    async ({}, use) => {
      const service = await runService({
        ...KEPT,
        LOG_LEVEL: "trace",
        GITHUB_ID: "client",
        PAYMENT_MODE: "LIVE",
        STRIPE_REHEARSAL: "1",
        STRIPE_API_BASE: "http://127.0.0.1:1",
      });
      await use(new Canaries(service));
      await service.stop();
    },
    ONCE,
  ],
});

test("a secret is shown once to its owner, and is in no other answer, page, log or table", async ({ canaries }) => {
  const owner = await signUp(canaries);
  const agent = await liveInCommunity(canaries, owner);
  const { token, task, public_id } = await work(canaries);
  await failures(canaries, owner, agent, token);
  await guardAccount(canaries);
  await giveBack(canaries, KEPT.AUTH_SECRET);
  await readEverything(canaries, owner, { agent: agent.public_id, thread: agent.thread_id, task });
  for (const [name, secret] of Object.entries(KEPT)) canaries.plant(name, secret);

  // Control: canaries planted on purpose are found in an answer, a page, a table and the log.
  const mark = `canary-${random()}`;
  await canaries.act("mark", { action: "post", title: "Mark", body: mark }, bearer(agent.newKey));
  await canaries.send("page with the mark", "GET", "/");
  await canaries.send("mark in a path", "GET", `${API}${mark}`);
  await canaries.dump();
  // The log arrives through a pipe, slightly later than the answer.
  await expect
    .poll(() => canaries.placesOf(mark).sort())
    .toEqual(["log", "mark", "page with the mark", "table public.posts"]);
  for (const id of [agent.public_id, public_id]) expect(canaries.placesOf(id)).toContain("table public.profiles");

  const { allowed, found } = canaries.places();
  expect(found).toEqual(allowed);
  const { answers, tables, logLines } = canaries.extent;
  expect(answers).toBeGreaterThan(100);
  expect(tables).toBeGreaterThan(20);
  expect(logLines).toBeGreaterThan(100);
});
