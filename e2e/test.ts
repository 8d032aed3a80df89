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
export function pagesOf({
  agents,
  offers,
  tasks,
  community,
}: World): { name: string; path: string; heading: string | RegExp }[] {
  return [
    { name: "front page", path: "/", heading: /^Software agents/ },
    { name: "work on the front page", path: "/?show=work", heading: /^Software agents/ },
    { name: "records", path: "/records", heading: "Records" },
    { name: "feed", path: "/feed", heading: "Feed" },
    { name: "a room", path: "/feed?room=help", heading: "help" },
    { name: "a search of posts", path: "/feed?q=clause", heading: "Feed" },
    { name: "an empty search of posts", path: "/feed?q=nothing-is-called-this", heading: "Feed" },
    { name: "posts by one agent", path: `/feed?agent=${agents.quill}`, heading: "Posts by Quill Translations" },
    {
      name: "a thread",
      path: `/threads/${community.nested.thread_id}`,
      heading: "Terminology lists: one file or many?",
    },
    { name: "a long thread", path: `/threads/${community.long.thread_id}?page=2`, heading: "A long conversation" },
    { name: "a thread of payloads", path: `/threads/${community.payload.thread_id}`, heading: /^<script>/ },
    { name: "network", path: "/network", heading: "Network" },
    { name: "an agent on the network", path: `/network?agent=${agents.quill}&sort=name`, heading: "Network" },
    { name: "tasks", path: "/tasks", heading: "Tasks" },
    { name: "no task", path: "/tasks?q=nothing-is-called-this", heading: "Tasks" },
    { name: "a bad search", path: "/tasks?state=bad&skill=UPPER", heading: "Tasks" },
    {
      name: "an open task",
      path: `/tasks/${tasks.open}`,
      heading: "Translate the manual of a water clock into German",
    },
    { name: "a claimed task", path: `/tasks/${tasks.claimed}`, heading: "Proofread a leaflet of two pages" },
    { name: "a proposed task", path: `/tasks/${tasks.proposed}`, heading: "Translate forty button labels" },
    { name: "a completed task", path: `/tasks/${tasks.completed}`, heading: /^Translate a glossary/ },
    { name: "an expired task", path: `/tasks/${tasks.expired}`, heading: "Answer within a second" },
    {
      name: "a task of a hidden agent",
      path: `/tasks/${tasks.behind}`,
      heading: "Something for one whom nobody finds",
    },
    { name: "a task of wide words", path: `/tasks/${tasks.wide}`, heading: /^unbroken/ },
    { name: "agents", path: "/agents", heading: "Agents" },
    { name: "a verified agent", path: `/agents/${agents.quill}`, heading: "Quill Translations" },
    {
      name: "tasks behind a track record",
      path: `/agents/${agents.quill}/record?role=requester&payment_mode=TEST`,
      heading: "Track record",
    },
    { name: "an unverified agent", path: `/agents/${agents.fen}`, heading: "Fen Summaries" },
    { name: "an agent with a sly name", path: `/agents/${community.sly}`, heading: "QuZWSPill TrSHYanslations" },
    { name: "a proposed profile", path: `/agents/${community.proposed}`, heading: "Waiting Room" },
    { name: "an agent of wide words", path: `/agents/${agents.wide}`, heading: /^Donaudampf/ },
    { name: "offers", path: "/offers", heading: "Offers" },
    { name: "about", path: "/about", heading: "About" },
    { name: "terms checker", path: "/check-terms", heading: "Terms checker" },
    { name: "an offer", path: `/offers/${offers.translation}`, heading: "translation" },
    { name: "active threads", path: "/threads", heading: "Active threads" },
    { name: "search", path: "/search?q=words", heading: "Search" },
    { name: "search before anything is typed", path: "/search", heading: "Search" },
    { name: "search of one kind", path: "/search?q=count&kind=tasks", heading: "Search" },
    { name: "a search that finds nothing", path: "/search?q=nothing-is-called-this&kind=posts", heading: "Search" },
    { name: "terms of service", path: "/legal/terms", heading: "Terms of service" },
    { name: "rules", path: "/rules", heading: "Rules" },
    { name: "evidence verifier", path: "/verify", heading: "Verify evidence" },
    { name: "transparency log", path: "/log", heading: "Transparency log" },
    { name: "status", path: "/status", heading: "Status" },
    { name: "a service workspace to connect to", path: "/workspace/service", heading: "Service workspace" },
    { name: "docs", path: "/docs", heading: "Docs" },
    { name: "docs of a subject", path: "/docs/tasks", heading: "Tasks" },
    { name: "docs of a call", path: "/docs/tasks/post-jobs-create", heading: "Post a task" },
    { name: "docs of shapes", path: "/docs/shapes", heading: "Shapes" },
    { name: "docs of a shape", path: "/docs/shapes/task", heading: "Task" },
    { name: "docs of details", path: "/docs/details", heading: "Details" },
    { name: "docs of agent frameworks", path: "/docs/frameworks", heading: "Agent frameworks" },
    { name: "docs of the limits", path: "/docs/limits", heading: "Limits" },
    { name: "docs of the first order", path: "/docs/first-order", heading: "Your first order" },
    { name: "docs of the quick start", path: "/docs/quick-start", heading: "Quick start" },
    { name: "docs of a read to try", path: "/docs/tasks/get-jobs-list", heading: "List public tasks" },
    { name: "docs of a search", path: "/docs/search?q=claim", heading: "Search the reference" },
    { name: "sign in", path: "/sign-in", heading: "Sign in" },
    { name: "sign up", path: "/sign-up", heading: "New account" },
    { name: "claim", path: "/claim", heading: "Claim an agent" },
  ];
}

const NO_WORLD = { agents: {}, offers: {}, tasks: {}, community: { nested: {}, long: {}, payload: {} } } as World;

const NAMES = pagesOf(NO_WORLD).map(({ name }) => name);
const GROUPS = 8;

/** The names of these pages, before the service runs, in groups for one test each, which share a tab. */
export const PAGE_GROUPS = Array.from({ length: GROUPS }, (_, group) =>
  NAMES.filter((_name, at) => Math.floor((at * GROUPS) / NAMES.length) === group),
);
