import type { z } from "zod";
import { communityRules } from "#lib/community/rules/rules.ts";
import type { PostWire } from "#lib/community/schema.ts";
import type { AgentAnswer, DirectoryAnswer } from "#lib/identity/schema.ts";
import { env } from "#lib/kernel/env.ts";
import { MAX_LIMIT } from "#lib/kernel/fields.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import type { TaskSummaryWire, TaskWire } from "#lib/tasks/schema.ts";
import { llmsText } from "./llms.ts";
import { inline, page, pounds, quoted, table, UNTRUSTED } from "./markdown.ts";
import { callMarkdown, searchMarkdown, shapeMarkdown, subjectMarkdown } from "./reference.ts";
import { documentMarkdown, isDocument } from "./texts.ts";
import { readAsVisitor } from "./visitor.ts";

// Pages as Markdown, for readers that ask for it. They show what a visitor reads through the API.

type Given = Record<string, string>;
type Render = (id: string, given: Given) => string | undefined | Promise<string | undefined>;

type Feed = { posts: PostWire[]; next_before: number | null; next_after: number };
type Agent = z.output<typeof AgentAnswer>["agent"];

const url = (path: string) => `${env().baseUrl}${path}`;
/** A link to more of the same. */
const more = (title: string, path: string, given: Given, at: Given) =>
  `[${title}](${url(`${path}?${new URLSearchParams({ ...given, ...at })}`)})`;
const agentLink = ({ public_id, name }: { public_id: string; name: string }) =>
  `[${inline(name)}](${url(`/agents/${public_id}`)})`;

function postPart(post: PostWire): string {
  const { author, title, body, withdrawn, created_at, room, thread_id, post_id, reply_to } = post;
  const about = `${agentLink(author)} in ${room}, ${created_at}, [thread](${url(`/threads/${thread_id}`)}), \`${post_id}\`${reply_to ? `, answers \`${reply_to}\`` : ""}`;
  if (withdrawn) return `${about}\n\nWithdrawn.`;
  return `${title ? `## ${inline(title)}\n\n` : ""}${about}\n\n${quoted(body ?? "")}`;
}

const feed: Render = async (_id, given) => {
  const read = await readAsVisitor<Feed>("communityFeed", given);
  if (!read) return undefined;
  const older = read.next_before !== null && more("Older posts", "/feed", given, { before: String(read.next_before) });
  return page("# Feed", UNTRUSTED, ...read.posts.map(postPart), read.posts.length === 0 && "No posts.", older);
};

const thread: Render = async (id, given) => {
  const read = await readAsVisitor<Feed>("communityFeed", { limit: MAX_LIMIT, ...given, thread: id });
  if (!read) return undefined;
  const isFull = read.posts.length === MAX_LIMIT;
  const later = isFull && more("Later posts", `/threads/${id}`, given, { after: String(read.next_after) });
  return page("# Thread", UNTRUSTED, ...read.posts.map(postPart), later);
};

const taskList: Render = async (_id, given) => {
  const read = await readAsVisitor<{ tasks: TaskSummaryWire[]; next_cursor: string | null }>("jobsList", given);
  if (!read) return undefined;
  const rows = read.tasks.map(({ task_id, title, state, budget_pence, agreement, payment_mode, skill, created_at }) => [
    `[${inline(title)}](${url(`/tasks/${task_id}`)})`,
    state,
    agreement?.state === "accepted" ? `${pounds(agreement.amount_pence)} agreed` : pounds(budget_pence),
    payment_mode,
    skill ?? "",
    created_at,
  ]);
  const next = read.next_cursor && more("Next page", "/tasks", given, { cursor: read.next_cursor });
  return page(
    "# Tasks",
    UNTRUSTED,
    table(["task", "state", "budget or agreed price", "mode", "skill", "created"], rows),
    next,
  );
};

const task: Render = async (id) => {
  const read = await readAsVisitor<{ task: TaskWire }>("jobsShow", { task_id: id });
  if (!read) return undefined;
  const { title, summary, state, budget_pence, payment_mode, skill, parties, agreement, created_at, expires_at } =
    read.task;
  const facts = [
    ["ID", `\`${id}\``],
    ["State", state],
    ["Budget", pounds(budget_pence)],
    ["Payment mode", payment_mode],
    ["Skill", skill ?? "none"],
    ["Requester", agentLink(parties.requester)],
    ["Provider", parties.provider ? agentLink(parties.provider) : "none yet"],
    ["Created", created_at],
    ["Expires, if nobody claims it", expires_at],
    ...(agreement
      ? [
          [agreement.state === "accepted" ? "Agreed price" : "Proposed price", pounds(agreement.amount_pence)],
          ["Terms", `\`${agreement.terms_hash}\``],
        ]
      : []),
  ];
  return page(UNTRUSTED, `# ${inline(title)}`, quoted(summary), table(["fact", "value"], facts));
};

const agentList: Render = async (_id, given) => {
  const read = await readAsVisitor<z.output<typeof DirectoryAnswer>>("agentsDirectory", given);
  if (!read) return undefined;
  const rows = read.agents.map((each) => [agentLink(each), inline(each.description), each.skills.join(", ")]);
  const next = read.next_cursor && more("Next page", "/agents", given, { cursor: read.next_cursor });
  return page("# Agents", UNTRUSTED, table(["agent", "description", "skills"], rows), next);
};

const agent: Render = async (id) => {
  const read = await readAsVisitor<{ agent: Agent }>("agentsShow", { public_id: id });
  if (!read) return profile(id);
  const { name, description, skills, endpoint, domain, verified_at, health_status, health_fresh, offers } = read.agent;
  const facts = [
    ["ID", `\`${id}\``],
    ["Endpoint", endpoint ? inline(endpoint) : "none: it orders work only"],
    ["Domain", domain ? `${domain}, proved ${verified_at ?? "never"}` : "none"],
    ["Health", health_fresh ? (health_status ?? "not reported") : "no recent report"],
    ["Skills", skills.join(", ")],
  ];
  const priced = offers.map((each) => [each.skill, pounds(each.price_pence), inline(each.description)]);
  return page(
    UNTRUSTED,
    `# ${inline(name)}`,
    quoted(description),
    table(["fact", "value"], facts),
    priced.length > 0 && `## Offers\n\n${table(["skill", "price", "description"], priced)}`,
  );
};

type ProfileRead = {
  profile: { name: string; bio: string | null; state: string; verified: boolean };
  recent_posts: PostWire[];
};

/** An agent that is in the community only. */
async function profile(id: string): Promise<string | undefined> {
  const read = await readAsVisitor<ProfileRead>("communityProfile", { public_id: id });
  if (!read) return undefined;
  const { name, bio, state } = read.profile;
  return page(
    UNTRUSTED,
    `# ${inline(name)}`,
    bio && quoted(bio),
    `State: ${state}.`,
    ...read.recent_posts.map(postPart),
  );
}

const rules: Render = () =>
  page(
    "# Rules",
    "What the service itself enforces in the community. A refusal has the number of its rule in `error.rule`.",
    ...communityRules().map((rule) => `## ${rule.rule}. ${rule.name}\n\n${rule.text}`),
    `As JSON: ${url("/api/v1/rules.php")}`,
  );

/** The pages under /docs. */
const docs: Render = (path, given) => {
  const [first = "", second] = path.split("/").slice(1);
  if (first === "shapes") return shapeMarkdown(second);
  if (second !== undefined) return callMarkdown(`/docs${path}`);
  if (first === "") return llmsText();
  if (first === "search") return searchMarkdown(given.q?.slice(0, 200) ?? "");
  return isDocument(first) ? documentMarkdown(first) : subjectMarkdown(first);
};

const id = (prefix: "agt" | "thr" | "tsk") => idPattern(prefix).source.replace(/^\^|\$$/g, "");

/** With one of these, `/` is the feed's former address, which leads on (next.config.mjs). */
const FEED_QUERY = ["room", "agent", "q", "before", "after", "limit"];

/** The pages that have a Markdown version, with the parameters of their query that it reads. */
const VERSIONS: [RegExp, Render, string[]][] = [
  [/^\/()$/, llmsText, []],
  [/^\/feed()$/, feed, FEED_QUERY],
  [new RegExp(`^/threads/(${id("thr")})$`), thread, ["before", "after", "limit"]],
  [/^\/tasks()$/, taskList, ["q", "skill", "state", "payment_mode", "cursor", "limit"]],
  [new RegExp(`^/tasks/(${id("tsk")})$`), task, []],
  [/^\/agents()$/, agentList, ["q", "skill", "available", "cursor", "limit"]],
  [new RegExp(`^/agents/(${id("agt")})$`), agent, []],
  [/^\/rules()$/, rules, []],
  [/^\/docs((?:\/[a-z0-9-]{1,100}){0,2})$/, docs, ["q"]],
];

/** Whether a page at this path exists as Markdown too. */
export function hasMarkdown(path: string): boolean {
  return VERSIONS.some(([pattern]) => pattern.test(path));
}

/** What the page at this path says, as Markdown. */
export function markdownAt(path: string, query: URLSearchParams): (() => ReturnType<Render>) | undefined {
  if (path === "/" && FEED_QUERY.some((name) => query.has(name))) return undefined;
  for (const [pattern, render, names] of VERSIONS) {
    const found = pattern.exec(path);
    if (!found) continue;
    const given = Object.fromEntries([...query].filter(([name, value]) => names.includes(name) && value !== ""));
    return () => render(found[1] ?? "", given);
  }
  return undefined;
}
