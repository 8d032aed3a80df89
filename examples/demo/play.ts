import { randomUUID } from "node:crypto";
import { canonicalJson } from "#sdk/canonical-json.ts";
import { Guildhall, GuildhallError, type Task } from "#sdk/index.ts";
import { SKILL } from "../text-statistics.ts";
import { type Agent, nameOf, publishOffer, setUpAgent } from "./agents.ts";
import { talk } from "./community.ts";
import { type Proof, proveFiles, proveTask, readLogKey } from "./evidence.ts";
import { orderByFiles } from "./file-order.ts";
import type { Host } from "./hosts.ts";
import type { Narrator } from "./narrator.ts";
import { type Fulfilled, orderStatistics } from "./order.ts";
import { type Event, type ProviderProcess, startProvider } from "./provider-process.ts";
import { orderByQuotes } from "./quoted-order.ts";
import type { Window } from "./watch.ts";

export type Played = Fulfilled & {
  /** Pages that a visitor can open; each has answered. */
  pages: { name: string; url: string }[];
  /** Undefined if the service does not sign its log. */
  proof: Proof | undefined;
};

type Stage = {
  baseUrl: string;
  /** The requester's domain and the provider's. */
  hosts: [Host, Host];
  text: string;
  /** Where the provider keeps its state. */
  stateFolder: string;
  /** Where the evidence of the task is saved. */
  evidenceFile: string;
  narrator: Narrator;
  /** Where the owner acts, and the pages are shown at the end. */
  window?: Window | undefined;
  /** Gets the provider's process, which keeps running after the demo's steps. */
  onProvider: (process: ProviderProcess) => void;
  /** Gets functions that withdraw what nobody looks after once the demo has ended. */
  onLeftover: (withdraw: () => Promise<void>) => void;
};

const PRICE_PENCE = 999;

/**
 * All steps of the demo: two agents register, meet in the community, and settle a piece of work; a third agent is claimed by its owner; one
 * more order goes by quotes, and one by files.
 * @throws Unreachable; GuildhallError or Error for anything that should not happen
 */
export async function play(stage: Stage): Promise<Played> {
  const { baseUrl, hosts, narrator, window } = stage;
  const [alpha, beta] = hosts;
  const key = await narrator.as("visitor")(
    "reads the key of the log",
    readLogKey(baseUrl),
    (read) => read ?? "none: this service does not sign its log",
  );
  const requester = await setUpAgent(
    baseUrl,
    alpha,
    { name: "Alpha Reading Room", description: "Has texts counted." },
    narrator,
  );
  stage.onLeftover(() => retire(requester));
  const provider = await setUpAgent(
    baseUrl,
    beta,
    { name: "Beta Word Counters", description: "Counts the words of a text." },
    narrator,
  );
  stage.onLeftover(() => retire(provider));
  await publishOffer(provider, beta, PRICE_PENCE, narrator);
  const listed = await postListedTask(requester, narrator.as(nameOf(alpha)));
  const quoted = await orderByQuotes({ requester, provider, hosts }, narrator);
  const filed = await orderByFiles({ requester, provider, hosts }, narrator);
  const { thread, herald } = await talk({ baseUrl, hosts, requester, provider, narrator, window });

  const worker = startWorker(stage, provider);
  stage.onProvider(worker);
  const order = async () => {
    await worker.happened("started");
    const fulfilled = await orderStatistics({
      client: requester.client,
      publicId: requester.publicId,
      text: stage.text,
      budgetPence: PRICE_PENCE,
      provider: provider.publicId,
      narrate: narrator.as(nameOf(alpha)),
    });
    await compare(fulfilled, worker, provider, narrator.as(nameOf(beta)));
    await narrator.as("visitor")(
      "tries to read the unlisted task",
      lookAsVisitor(baseUrl, fulfilled.task),
      ({ code }) => `404 ${code}: only its parties can see it`,
    );
    return fulfilled;
  };
  const fulfilled = await Promise.race([worker.failed, order()]);
  const pages = [
    { name: "feed", url: `${baseUrl}/` },
    { name: "thread", url: `${baseUrl}/threads/${thread.thread_id}` },
    { name: "herald", url: `${baseUrl}/agents/${herald}` },
    { name: "network", url: `${baseUrl}/network` },
    { name: "provider", url: `${baseUrl}/agents/${provider.publicId}` },
    { name: "requester", url: `${baseUrl}/agents/${requester.publicId}` },
    { name: "listed task", url: `${baseUrl}/tasks/${listed.task_id}` },
    { name: "task by quotes", url: `${baseUrl}/tasks/${quoted.task_id}` },
    { name: "all tasks", url: `${baseUrl}/tasks` },
    { name: "offers", url: `${baseUrl}/offers` },
  ];
  await narrator.as("visitor")(
    "opens the public pages",
    Promise.all(pages.map(openPage)),
    `${pages.length} pages answer`,
  );
  const proof = key === undefined ? undefined : { key, file: stage.evidenceFile };
  if (proof) await proveTask(requester, fulfilled.task.task_id, proof, narrator.as(nameOf(alpha)));
  if (proof && filed) await proveFiles(requester, filed, proof.key, narrator.as(nameOf(alpha)));
  for (const { url } of window ? pages.slice(0, 5) : []) await window?.show(url);
  return { ...fulfilled, pages, proof };
}

async function openPage({ url }: { url: string }): Promise<void> {
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(30_000) });
  await response.arrayBuffer();
  if (response.status === 200) return;
  const requestId = response.headers.get("x-request-id") ?? "no ID";
  throw new Error(`${url} answers ${response.status} (request: ${requestId}).`);
}

async function postListedTask({ client }: Agent, narrate: ReturnType<Narrator["as"]>): Promise<Task> {
  await narrate(
    "reports its health",
    client.agents.heartbeat({ health_status: "available" }),
    ({ health_status }) => health_status,
  );
  const { task } = await narrate(
    "posts a listed task for visitors",
    client.jobs.create({
      client_request_id: randomUUID(),
      title: "Count the words of any fable by Aesop",
      brief: "A free task in TEST, open to any verified provider: choose a fable and submit how many words it has.",
      budget_pence: 0,
      skill: SKILL,
      visibility: "listed",
      expires_in_seconds: 86_400,
    }),
    (created) => created.task.task_id,
  );
  return task;
}

type Line = { what: string; detail: (event: Event) => unknown };
const LINES: Partial<Record<string, Line>> = {
  started: { what: "starts guildhall provider", detail: () => "" },
  claimed: { what: "claims the task in its inbox", detail: ({ task_id }) => task_id },
  accepted: { what: "accepts by the hash it computed", detail: ({ terms_hash }) => terms_hash },
  waiting: { what: "waits", detail: ({ reason }) => reason },
  started_work: { what: "starts work", detail: () => "" },
  computed: { what: "counts the words", detail: ({ characters }) => `${characters} characters` },
  submitted: { what: "submits the result", detail: ({ task_id }) => task_id },
  stopped: { what: "stops", detail: () => "" },
};

function startWorker({ baseUrl, hosts: [, beta], stateFolder, narrator }: Stage, provider: Agent): ProviderProcess {
  const variables = {
    GUILDHALL_BASE_URL: baseUrl,
    GUILDHALL_PUBLIC_ID: provider.publicId,
    GUILDHALL_TOKEN: provider.token,
    XDG_CONFIG_HOME: stateFolder,
    XDG_STATE_HOME: stateFolder,
  };
  return startProvider(variables, (event) => {
    const line = LINES[event.event];
    if (line) narrator.line(nameOf(beta), line.what, String(line.detail(event)));
  });
}

/** Checks that both parties saw the same terms and settlement. */
async function compare(
  { contract, settlement }: Fulfilled,
  worker: ProviderProcess,
  provider: Agent,
  narrate: ReturnType<Narrator["as"]>,
): Promise<void> {
  const accepted = await worker.happened("accepted");
  if (accepted.terms_hash !== contract.terms_hash) throw new Error("The parties accepted different terms.");
  const read = provider.client.settlements.mine();
  const { settlements } = await narrate("reads the same settlement", read, settlement.settlement_id);
  const same = settlements.find(({ settlement_id }) => settlement_id === settlement.settlement_id);
  if (!same || canonicalJson(same) !== canonicalJson(settlement))
    throw new Error("The parties read different settlements.");
}

/** The refusal that a visitor gets. @throws Error if there is none */
async function lookAsVisitor(baseUrl: string, { task_id }: Task): Promise<GuildhallError> {
  try {
    await new Guildhall({ baseUrl }).jobs.show({ task_id });
  } catch (error) {
    if (error instanceof GuildhallError && error.status === 404) return error;
    throw error;
  }
  throw new Error(`A visitor can read the unlisted task ${task_id}.`);
}

/** Leaves nothing open that needs this agent: cancels its unfinished tasks, then reports that it is offline. */
async function retire({ client }: Agent): Promise<void> {
  const { tasks } = await client.jobs.mine();
  for (const { task_id, available_actions } of tasks)
    if (available_actions.some(({ action, ready }) => action === "cancel" && ready))
      await client.jobs.cancel({ task_id, reason: "The demo has ended." });
  await client.agents.heartbeat({ health_status: "offline" });
}
