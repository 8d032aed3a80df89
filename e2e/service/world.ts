import { setTimeout as delay } from "node:timers/promises";
import { type Agent, offer, reportHealth, settleAgents, settleFleet } from "./agents.ts";
import { Client } from "./client.ts";
import { Member, makeCommunity } from "./community.ts";
import type { Proofs } from "./proofs.ts";
import { Tasks } from "./tasks.ts";

export const FLEET = 24;

/**
 * Agents and tasks in every state, created only through the API. Tests get plain data about them. `report` repeats all health
 * reports, as agents do every few minutes.
 */
export async function makeWorld(baseUrl: string, proofs: Proofs) {
  const client = new Client(baseUrl);
  const fleet = await settleFleet(client, proofs, FLEET);
  const agents = await settleAgents(client, proofs);
  const offers = await makeOffers(client, agents);
  const tasks = await makeTasks(new Tasks(client), agents);
  const community = await makeCommunity(client, agents);
  const ids = Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, agent.public_id]));
  const report = async () => {
    for (const agent of [...fleet, ...Object.values(agents)]) await reportHealth(client, agent);
    await new Member(client, community.ledger).heartbeat();
  };
  return { world: { agents: ids as Record<keyof typeof agents, string>, offers, tasks, community }, report };
}

export type World = Awaited<ReturnType<typeof makeWorld>>["world"];

type Agents = Awaited<ReturnType<typeof settleAgents>>;

async function makeOffers(client: Client, { quill, ledger, wide, fen }: Agents) {
  const translation = await offer(
    client,
    quill,
    {
      skill: "translation",
      description: "English to German, checked once by a second pass.",
      input: "Markdown or plain text in UTF-8.",
      output: "The same structure in German, and a list of terms.",
      limits: "Up to 5,000 words. No legal or medical text.",
    },
    1_200,
  );
  await offer(
    client,
    quill,
    {
      skill: "proofreading",
      description: "A pilot: the first page is read for nothing.",
      input: "One page.",
      output: "A list of findings.",
      limits: "One page.",
    },
    0,
  );
  await offer(
    client,
    ledger,
    {
      skill: "reconciliation",
      description: "Compares two CSV files by amount and day.",
      input: "Two CSV files with a header line.",
      output: "Lines that match, and lines that do not.",
      limits: "100,000 lines each.",
    },
    123_456,
  );
  await offer(
    client,
    fen,
    { skill: "summaries", description: "Ten lines.", input: "A report.", output: "Ten lines.", limits: "50 pages." },
    499,
  );
  await offer(
    client,
    wide,
    {
      skill: "skill-with-a-rather-long-name-to-wrap-somehow-10",
      description: "unbroken".repeat(30),
      input: "x".repeat(300),
      output: "Something.",
      limits: "None.",
    },
    99_999_999,
  );
  return { translation };
}

async function makeTasks(tasks: Tasks, { quill, ledger, northlight, atlas, wide, hidden }: Agents) {
  for (let number = 1; number <= FLEET; number += 1) {
    await tasks.post(atlas, {
      brief: `Count the words of chapter ${number}\nOne number, on a line of its own.`,
      budget: number * 10,
      skill: "counting",
    });
  }
  const expired = await tasks.post(atlas, { brief: "Answer within a second", budget: 100, seconds: 1 });
  const unlisted = await tasks.post(atlas, { brief: "Something between us", budget: 500, visibility: "unlisted" });
  const cancelled = await tasks.post(atlas, { brief: "No longer wanted", budget: 500 });
  await tasks.step(atlas, "cancel", cancelled);
  const wideTask = await tasks.post(wide, {
    title: `${"unbroken".repeat(20)} <script>alert(1)</script>`,
    brief: `${"unbroken".repeat(20)}\n\n<img src=x onerror=alert(1)> مرحبا`,
    budget: 99_999_999,
  });
  const claimed = await claimedTask(tasks, atlas, quill, northlight);
  const proposed = await proposedTask(tasks, atlas, quill);
  const accepted = await tasks.post(atlas, { brief: "Translate the release notes of version 4", budget: 1_500 });
  await tasks.agree(atlas, quill, accepted, 1_200);
  const inProgress = await workingTask(tasks, atlas, ledger);
  const behind = await tasks.post(atlas, { brief: "Something for one whom nobody finds", provider: hidden });
  await tasks.agree(atlas, hidden, behind, 0);
  const submitted = await submittedTask(tasks, atlas, quill);
  const completed = await completedTask(tasks, atlas, quill);
  const selected = await tasks.post(atlas, {
    brief: "Transcribe twelve pages of a synthetic ledger\nKeep the columns. Mark what you guess.",
    budget: 2_400,
    skill: "transcription",
    provider: northlight,
  });
  const open = await tasks.post(ledger, {
    brief: `Translate the manual of a water clock into German\n\nThe manual has four parts: setting up, filling, reading and care. Keep headings, numbering and units. Where a word has no good German counterpart, leave it in English and add it to a list at the end. The text is synthetic and may be quoted. Deliver Markdown.`,
    budget: 1_500,
    skill: "translation",
  });
  await delay(1_000);
  return {
    open,
    selected,
    claimed,
    proposed,
    accepted,
    inProgress,
    submitted,
    completed,
    cancelled,
    expired,
    unlisted,
    behind,
    wide: wideTask,
  };
}

/** Released by one provider and claimed by another, whose first terms were declined. */
async function claimedTask(tasks: Tasks, requester: Agent, provider: Agent, earlier: Agent) {
  const task = await tasks.post(requester, { brief: "Proofread a leaflet of two pages", budget: 300 });
  await tasks.step(earlier, "claim", task);
  await tasks.step(earlier, "release", task);
  await tasks.step(provider, "claim", task);
  await tasks.decline(provider, await tasks.propose(requester, task, 300));
  return task;
}

async function proposedTask(tasks: Tasks, requester: Agent, provider: Agent) {
  const task = await tasks.post(requester, { brief: "Translate forty button labels", budget: 800 });
  await tasks.step(provider, "claim", task);
  await tasks.accept(requester, await tasks.propose(requester, task, 750));
  return task;
}

/** Free of charge, so that no funding is needed. */
async function workingTask(tasks: Tasks, requester: Agent, provider: Agent) {
  const task = await tasks.post(requester, { brief: "Reconcile two lists of ten synthetic bookings" });
  await tasks.begin(requester, provider, task);
  return task;
}

/** Changes were requested once, and it was submitted again. */
async function submittedTask(tasks: Tasks, requester: Agent, provider: Agent) {
  const task = await tasks.post(requester, { brief: "Translate an abstract of 200 words", budget: 400 });
  await tasks.deliver(requester, provider, task, "Erster Versuch.", 400);
  await tasks.step(requester, "request_changes", task, { reason: "The second paragraph is missing." });
  await tasks.step(provider, "submit", task, { result: "Zweiter Versuch, mit dem zweiten Absatz." });
  return task;
}

async function completedTask(tasks: Tasks, requester: Agent, provider: Agent) {
  const task = await tasks.post(requester, {
    brief: "Translate a glossary of 120 terms for a model railway, English to German",
    budget: 2_000,
    skill: "translation",
  });
  await tasks.begin(requester, provider, task, 1_999);
  await tasks.step(provider, "submit", task, {
    result: "Weiche: points. Gleis: track.",
    evidence_hash: `sha256:${"0123456789abcdef".repeat(4)}`,
  });
  await tasks.step(requester, "complete", task);
  return task;
}
