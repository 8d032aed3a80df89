import { get, openCaller, post, type Request } from "./client.ts";
import type { DataSet } from "./data.ts";
import type { Running } from "./processes.ts";
import { GROWTH } from "./targets.ts";

/** One endpoint, as the service and as the bare server are asked for it. Each index is another request. */
export type Case = {
  name: string;
  kind: "read" | "write" | "page";
  service(index: number): Request;
  bare(index: number): Request;
  /** For a verb that uses up what it works on: how often it is called in a turn, and what makes that before each. */
  calls?: number;
  prepare?(service: Running): Promise<void>;
};

export const pick = <Item>(list: readonly Item[], index: number): Item => {
  const item = list[index % list.length];
  if (item === undefined) throw new Error("The data set is too small for this part.");
  return item;
};

let keys = 0;
const newKey = () => `bench-${process.pid}-${Date.now()}-${keys++}`;

const list = () => get("/api/v1/jobs/list.php");
export const inboxOf = ({ publicId, token }: { publicId: string; token: string }) =>
  get(`/api/v1/jobs/inbox.php?public_id=${publicId}`, token);
export const heartbeatOf = ({ publicId, token }: { publicId: string; token: string }) =>
  post("/api/v1/agents/heartbeat.php", { public_id: publicId, health_status: "available" }, token);

/** What agents do with each other's work. */
export function workCases(data: DataSet): Case[] {
  const provider = (index: number) => pick(data.providers, index);
  const taskId = (index: number) => pick(data.listedTaskIds, index);
  const showBare = (index: number) => get(`/show?id=${taskId(index)}`);
  return [
    {
      name: "directory",
      kind: "read",
      service: () => get("/api/v1/agents/directory.php"),
      bare: () => get("/directory"),
    },
    { name: "task list", kind: "read", service: list, bare: () => get("/list") },
    {
      name: "task show",
      kind: "read",
      service: (index) => get(`/api/v1/jobs/show.php?task_id=${taskId(index)}`),
      bare: showBare,
    },
    { name: "task show over MCP", kind: "read", service: (index) => showOverMcp(taskId(index)), bare: showBare },
    {
      name: "inbox poll",
      kind: "read",
      service: (index) => inboxOf(provider(index)),
      bare: (index) => get(`/inbox?id=${provider(index).publicId}`),
    },
    {
      name: "heartbeat",
      kind: "write",
      service: (index) => heartbeatOf(provider(index)),
      bare: (index) => post("/heartbeat", { public_id: provider(index).publicId, health_status: "available" }),
    },
    createCase(data),
    claimCase(data),
  ];
}

function showOverMcp(taskId: string): Request {
  const version = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { _meta, name: "jobs_show", arguments: { task_id: taskId } };
  const request = post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = {
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": version,
    "MCP-Method": "tools/call",
    "MCP-Name": "jobs_show",
  };
  return { ...request, headers: { ...request.headers, ...headers } };
}

const BRIEF =
  "Compare the two tender documents and list every difference. There are 42 items, collected in Whitby. Give reasons for each decision in one sentence, so that a second reader can follow them. Quality goes before speed: a partial result that is right is worth more than a full one that is not. Deliver one CSV file in UTF-8 with a header line.";

export function createCase({ providers }: DataSet): Case {
  const task = (index: number) => () => ({
    public_id: pick(providers, index).publicId,
    title: "List the differences between two tender documents",
    brief: BRIEF,
    skill: "document-comparison",
    budget_pence: 1_250,
    client_request_id: newKey(),
  });
  return {
    name: "create task",
    kind: "write",
    service: (index) => post("/api/v1/jobs/create.php", task(index), pick(providers, index).token),
    bare: (index) => post("/create", task(index)),
  };
}

const CLAIMS = 1_600;
const AT_ONCE = 32;

/** Claims of new tasks, each by the agent after the one that posted it. */
export function claimCase({ providers }: DataSet): Case {
  const open: string[] = [];
  // Everyone may claim a task that asks for no skill.
  const create = (index: number) => {
    const { publicId, token } = pick(providers, index);
    const task = { public_id: publicId, brief: BRIEF, budget_pence: 0, client_request_id: newKey() };
    return post("/api/v1/jobs/create.php", task, token);
  };
  const claim = (index: number, task: number) => ({
    public_id: pick(providers, index + 1).publicId,
    task_id: open[task],
  });
  return {
    name: "claim task",
    kind: "write",
    calls: CLAIMS,
    async prepare({ url }) {
      const caller = openCaller(url, AT_ONCE);
      let next = 0;
      const work = async () => {
        for (let index = next++; index < 2 * CLAIMS; index = next++) {
          const { status, body } = await caller.send(create(index % CLAIMS));
          if (status !== 201) throw new Error(`A new task was answered with ${status}: ${body}`);
          open[index] = JSON.parse(`${body}`).task.task_id;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      caller.close();
    },
    service: (index) => post("/api/v1/jobs/claim.php", claim(index, index), pick(providers, index + 1).token),
    bare: (index) => post("/claim", claim(index, CLAIMS + index)),
  };
}

const ANSWER = "I agree with most of this. The second point needs a closer look before anyone builds on it.";

export function answerCase({ community: { members, openings } }: DataSet): Case {
  const answer = (index: number) => ({ reply_to: pick(openings, index), body: ANSWER });
  return {
    name: "answer a post",
    kind: "write",
    service: (index) =>
      post(
        "/api/v1/community/",
        () => ({ action: "post", ...answer(index), client_request_id: newKey() }),
        pick(members, index).key,
      ),
    bare: (index) => post("/post", { ...answer(index), author: pick(members, index).id }),
  };
}

const PAGE = 20;

/** A position in the feed 10,000 pages back, or a fifth of it in a smaller one. */
const farBack = ({ posts, community }: DataSet, index: number) =>
  community.lastSeq - Math.min(10_000 * PAGE, Math.floor(posts / 5)) - (index % 1_000);

type CommunityRead = {
  name: string;
  /** Added to the service's query. */
  query(data: DataSet, index: number): string;
  bare(data: DataSet, index: number): string;
  /** The most that a hundred times as many posts may multiply its time by. */
  most: number;
};

export const COMMUNITY_READS: CommunityRead[] = [
  { name: "community: feed, first page", query: () => "", bare: () => "/feed", most: GROWTH.list },
  {
    name: "community: feed, far back",
    query: (data, index) => `&before=${farBack(data, index)}`,
    bare: (data, index) => `/feed-before?seq=${farBack(data, index)}`,
    most: GROWTH.list,
  },
  {
    name: "community: feed of an agent",
    query: ({ community }, index) => `&agent=${pick(community.authors, index)}`,
    bare: ({ community }, index) => `/feed-of-agent?id=${pick(community.authors, index)}`,
    most: GROWTH.list,
  },
  {
    name: "community: thread",
    query: ({ community }, index) => `&thread=${pick(community.threads, index)}`,
    bare: ({ community }, index) => `/thread?id=${pick(community.threads, index)}`,
    most: GROWTH.list,
  },
  {
    name: "community: search, common word",
    query: ({ community }, index) => `&q=${pick(community.commonWords, index)}`,
    bare: ({ community }, index) => `/search-common?q=${pick(community.commonWords, index)}`,
    most: GROWTH.search,
  },
  {
    name: "community: search, rare word",
    query: ({ community }, index) => `&q=${pick(community.rareWords, index)}`,
    bare: ({ community }, index) => `/search-rare?q=${pick(community.rareWords, index)}`,
    most: GROWTH.search,
  },
];

export const communityPath = (query: string) => `/api/v1/community/?view=feed${query}`;

export function communityCases(data: DataSet): Case[] {
  const reads = COMMUNITY_READS.map(
    ({ name, query, bare }): Case => ({
      name,
      kind: "read",
      service: (index) => get(communityPath(query(data, index))),
      bare: (index) => get(bare(data, index)),
    }),
  );
  return [...reads, answerCase(data)];
}
