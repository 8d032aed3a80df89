import { test as base, expect } from "playwright/test";
import { Faults } from "./faults.ts";
import type { Administrator } from "./service/administrator.ts";
import { Client } from "./service/client.ts";
import type { World } from "./service/world.ts";

type Prepared = { baseUrl: string; world: World; administrator: Administrator };

function prepared(): Prepared {
  const text = process.env.GUILDHALL_E2E;
  if (!text) throw new Error("The service was not prepared: global-setup.ts has not run.");
  return JSON.parse(text) as Prepared;
}

export const test = base.extend<{ client: Client; world: World; administrator: Administrator; faults: Faults }>({
  // biome-ignore lint/correctness/noEmptyPattern: fixtures name what they depend on, and these depend on nothing
  baseURL: async ({}, use) => use(prepared().baseUrl),
  client: async ({ baseURL }, use) => use(new Client(baseURL ?? "")),
  // biome-ignore lint/correctness/noEmptyPattern: see above
  world: async ({}, use) => use(prepared().world),
  // biome-ignore lint/correctness/noEmptyPattern: see above
  administrator: async ({}, use) => use(prepared().administrator),
  faults: [
    async ({ page, baseURL }, use) => {
      const faults = new Faults(baseURL ?? "");
      faults.watch(page);
      await use(faults);
      await faults.settle();
    },
    { auto: true },
  ],
});

export { expect };

/** Every kind of page, with a text that identifies it. */
export function pagesOf({ agents, offers, tasks, community }: World) {
  const pages: [name: string, path: string, heading: string | RegExp][] = [
    ["front page", "/", /^Software agents/],
    ["work on the front page", "/?show=work", /^Software agents/],
    ["records", "/records", "Records"],
    ["feed", "/feed", "Feed"],
    ["a room", "/feed?room=help", "help"],
    ["a search of posts", "/feed?q=clause", "Feed"],
    ["an empty search of posts", "/feed?q=nothing-is-called-this", "Feed"],
    ["posts by one agent", `/feed?agent=${agents.quill}`, "Posts by Quill Translations"],
    ["a thread", `/threads/${community.nested.thread_id}`, "Terminology lists: one file or many?"],
    ["a long thread", `/threads/${community.long.thread_id}?page=2`, "A long conversation"],
    ["a thread of payloads", `/threads/${community.payload.thread_id}`, /^<script>/],
    ["network", "/network", "Network"],
    ["an agent on the network", `/network?agent=${agents.quill}&sort=name`, "Network"],
    ["tasks", "/tasks", "Tasks"],
    ["no task", "/tasks?q=nothing-is-called-this", "Tasks"],
    ["a bad search", "/tasks?state=bad&skill=UPPER", "Tasks"],
    ["an open task", `/tasks/${tasks.open}`, "Translate the manual of a water clock into German"],
    ["a claimed task", `/tasks/${tasks.claimed}`, "Proofread a leaflet of two pages"],
    ["a proposed task", `/tasks/${tasks.proposed}`, "Translate forty button labels"],
    ["a completed task", `/tasks/${tasks.completed}`, /^Translate a glossary/],
    ["an expired task", `/tasks/${tasks.expired}`, "Answer within a second"],
    ["a task of a hidden agent", `/tasks/${tasks.behind}`, "Something for one whom nobody finds"],
    ["a task of wide words", `/tasks/${tasks.wide}`, /^unbroken/],
    ["agents", "/agents", "Agents"],
    ["a verified agent", `/agents/${agents.quill}`, "Quill Translations"],
    ["tasks behind a track record", `/agents/${agents.quill}/record?role=requester&payment_mode=TEST`, "Track record"],
    ["an unverified agent", `/agents/${agents.fen}`, "Fen Summaries"],
    ["an agent with a sly name", `/agents/${community.sly}`, "QuZWSPill TrSHYanslations"],
    ["a proposed profile", `/agents/${community.proposed}`, "Waiting Room"],
    ["an agent of wide words", `/agents/${agents.wide}`, /^Donaudampf/],
    ["offers", "/offers", "Offers"],
    ["about", "/about", "About"],
    ["terms checker", "/check-terms", "Terms checker"],
    ["an offer", `/offers/${offers.translation}`, "translation"],
    ["active threads", "/threads", "Active threads"],
    ["search", "/search?q=words", "Search"],
    ["search before anything is typed", "/search", "Search"],
    ["search of one kind", "/search?q=count&kind=tasks", "Search"],
    ["a search that finds nothing", "/search?q=nothing-is-called-this&kind=posts", "Search"],
    ["terms of service", "/legal/terms", "Terms of service"],
    ["rules", "/rules", "Rules"],
    ["evidence verifier", "/verify", "Verify evidence"],
    ["transparency log", "/log", "Transparency log"],
    ["status", "/status", "Status"],
    ["a service workspace to connect to", "/workspace/service", "Service workspace"],
    ["docs", "/docs", "Docs"],
    ["docs of a subject", "/docs/tasks", "Tasks"],
    ["docs of a call", "/docs/tasks/post-jobs-create", "Post a task"],
    ["docs of shapes", "/docs/shapes", "Shapes"],
    ["docs of a shape", "/docs/shapes/task", "Task"],
    ["docs of details", "/docs/details", "Details"],
    ["docs of agent frameworks", "/docs/frameworks", "Agent frameworks"],
    ["docs of the limits", "/docs/limits", "Limits"],
    ["docs of the first order", "/docs/first-order", "Your first order"],
    ["docs of the quick start", "/docs/quick-start", "Quick start"],
    ["docs of a read to try", "/docs/tasks/get-jobs-list", "List public tasks"],
    ["docs of a search", "/docs/search?q=claim", "Search the reference"],
    ["sign in", "/sign-in", "Sign in"],
    ["sign up", "/sign-up", "New account"],
    ["claim", "/claim", "Claim an agent"],
  ];
  return pages.map(([name, path, heading]) => ({ name, path, heading }));
}

const NO_WORLD = { agents: {}, offers: {}, tasks: {}, community: { nested: {}, long: {}, payload: {} } } as World;

const NAMES = pagesOf(NO_WORLD).map(({ name }) => name);
const GROUPS = 8;

/** The names of these pages, before the service runs, in groups for one test each, which share a tab. */
export const PAGE_GROUPS = Array.from({ length: GROUPS }, (_, group) =>
  NAMES.filter((_name, at) => Math.floor((at * GROUPS) / NAMES.length) === group),
);
