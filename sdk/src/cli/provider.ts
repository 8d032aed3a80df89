import type { Guildhall } from "../client.ts";
import { GuildhallError, InvalidCredential, InvalidInput, MissingCredential } from "../errors.ts";
import type { Contract, Task } from "../generated/api.ts";
import { type AgentTask, askAgent } from "./a2a.ts";
import { amountOf, UsageError, wholeNumber } from "./command.ts";
import { postOrder, serverUrl } from "./forward.ts";
import { paint } from "./output.ts";
import { ownFile } from "./own-file.ts";
import { ProviderState } from "./provider-state.ts";
import { requireProgram, runWork, type Work } from "./run-work.ts";
import type { Session, Special } from "./session.ts";
import { GUILDHALL } from "./started-as.ts";
import { wait } from "./wait.ts";
import { withWorkFiles } from "./work-files.ts";

/** How long the operator's own agent may take for one order. */
const TIMEOUT_SECONDS = 600;

type Order = Pick<Task, "task_id" | "title" | "input" | "offer"> & {
  brief: string;
  terms: unknown;
  changes_reason?: string;
};
/** Does an order. @param kept where the agent's task is stored over restarts */
type Do = (order: Order, signal: AbortSignal, kept: Parameters<typeof askAgent>[3]) => Promise<Work>;

/** The service asks clients to read the inbox no more often than this. */
const INBOX_SECONDS = 15;
/** However much happens, the tasks are looked at no more often than this. */
const LEAST_PAUSE_MS = 500;

export const provider: Special = {
  name: ["provider"],
  about: "Be a provider: run a program, or ask your own agent, for each task of the inbox that reaches work",
  more: `Follows your events, and claims the tasks of the inbox. Once both parties have accepted the terms, it starts, runs CMD and submits what CMD prints.
CMD gets {task_id, title, brief, terms} as JSON on standard input, with input and offer for an order, and changes_reason after changes were
requested. If it fails, nothing is submitted. The files of the brief are in the folder GUILDHALL_FILES_IN, and what CMD leaves in the folder GUILDHALL_FILES_OUT is submitted
with the result. Its environment has no other variable of Guildhall. The brief is other people's text: data, never instructions.

With --a2a the order goes to your own A2A agent instead: the brief as text and the order as data, by message/send. Its task is polled, and
its artifacts are submitted. With --http the order is POSTed as JSON, and the body of the answer is submitted. PROVIDER_AUTHORIZATION, if
it is set, is sent to your agent as the header Authorization.

Without --accept, the terms wait until you accept them. With it, terms are accepted that have the right hash and name you as the provider.
After a restart no result is computed or submitted twice.`,
  usage: "[--interval S] [--accept [--min POUNDS]] (-- CMD | --a2a URL | --http URL) [--timeout S]",
  options: {
    interval: {
      value: "S",
      about: `Seconds between two looks at the inbox, apart from those after news of a task. Default ${INBOX_SECONDS}.`,
    },
    accept: { about: "Accept terms without asking you." },
    min: {
      value: "POUNDS",
      about: "With --accept: claim and accept nothing below this amount, in pounds, such as 9.99. Default 0.",
    },
    "min-pence": { value: "N", about: "The same in whole pence, such as 999." },
    a2a: { value: "URL", about: "Your own A2A agent, at the URL that its agent card names for JSON-RPC." },
    http: { value: "URL", about: "Your own server, which answers the POST of an order with the result." },
    timeout: {
      value: "S",
      about: `With --a2a or --http: seconds that your agent may take for one order, up to 86400. Default ${TIMEOUT_SECONDS}.`,
    },
  },
  examples: [
    `${GUILDHALL} provider --accept --min 9.99 -- ./count-words.sh`,
    `${GUILDHALL} provider --accept --a2a http://localhost:9999/`,
  ],
  async run(session) {
    const { flags, settings, env } = session;
    const work = workerOf(session);
    const least = amountOf("min", flags) ?? 0;
    if (least > 0 && flags.accept !== true) throw new UsageError("--min and --min-pence need --accept.");
    const seconds = wholeNumber("interval", flags.interval) ?? INBOX_SECONDS;
    if (seconds < 1 || seconds > 86_400) throw new UsageError("--interval must be from 1 to 86400 seconds.");
    const guild = settings.client();
    if (!guild.publicId)
      throw new MissingCredential("The provider needs an identity.", { code: "missing_credential", status: 0 });
    const host = new URL(guild.baseUrl).host.replaceAll(":", "_");
    const file = ownFile(env, "STATE", `provider-${host}-${guild.publicId}.json`);
    const worker = new Worker(session, guild, new ProviderState(file), work, flags.accept === true ? least : undefined);
    await worker.work(seconds * 1_000);
    return undefined;
  },
};

/** What does the work: a program, or an agent of the operator's own. @throws UsageError unless it is exactly one */
function workerOf({ flags, positionals, env, settings }: Session): Do {
  const given = ["a2a", "http"].filter((flag) => flags[flag] !== undefined);
  const seconds = wholeNumber("timeout", flags.timeout) ?? TIMEOUT_SECONDS;
  if (given.length + Number(positionals.length > 0) !== 1)
    throw new UsageError(`What does the work? Give one of: -- CMD, --a2a URL, --http URL.`);
  const [flag] = given;
  if (flag === undefined) {
    if (flags.timeout !== undefined) throw new UsageError("--timeout needs --a2a or --http.");
    requireProgram(positionals, env);
    return (order, signal) =>
      withWorkFiles(settings.client(), order.task_id, signal, (folders) =>
        runWork(positionals, order, { ...env, ...folders }, signal),
      );
  }
  if (seconds < 1 || seconds > 86_400) throw new UsageError("--timeout must be from 1 to 86400 seconds.");
  const url = serverUrl(flag, String(flags[flag]));
  const target = { url, timeoutMs: seconds * 1_000, authorization: env.PROVIDER_AUTHORIZATION || undefined };
  return flag === "http"
    ? (order, signal) => postOrder(target, order, signal)
    : (order, signal, kept) => askAgent(target, order, signal, kept);
}

class Worker {
  readonly #session: Session;
  readonly #guild: Guildhall;
  readonly #state: ProviderState;
  readonly #do: Do;
  /** Undefined: the operator accepts terms. */
  readonly #leastPence: number | undefined;
  /** What was last said about a task, so that waiting is said once. */
  readonly #said = new Map<string, string>();
  /** Steps that were refused for good: not tried again before a restart. */
  readonly #refused = new Set<string>();
  /** Rounds whose program failed: not run again before a restart. */
  readonly #failed = new Set<string>();
  /** When the inbox is to be read again. */
  #inboxAt = 0;
  /** Tasks that were sent to this provider since; each is read alone, because the inbox may be read only four times a minute. */
  readonly #selected = new Set<string>();
  /** Aborted by news of a task. */
  #news = new AbortController();
  /** When health is to be reported again. */
  #beatAt = 0;
  /** Between two reports; the service says how long. */
  #beatMs = 300_000;

  constructor(session: Session, guild: Guildhall, state: ProviderState, work: Do, leastPence: number | undefined) {
    this.#session = session;
    this.#guild = guild;
    this.#state = state;
    this.#do = work;
    this.#leastPence = leastPence;
  }

  /** Works until it is stopped. Trouble with one task, or with the service, ends nothing; a refusal of the whole identity does. */
  async work(intervalMs: number): Promise<void> {
    const { signal } = this.#session;
    const ended = new AbortController();
    this.#follow(AbortSignal.any([signal, ended.signal])).catch((error: unknown) => {
      // Without events it works too, only less promptly.
      if (!signal.aborted && !ended.signal.aborted) this.#say("trouble", { reason: `no events: ${String(error)}` });
    });
    let hasStarted = false;
    try {
      for (;;) {
        this.#news = new AbortController();
        const isInboxDue = Date.now() >= this.#inboxAt;
        if (isInboxDue) this.#inboxAt = Date.now() + intervalMs;
        try {
          if (Date.now() >= this.#beatAt) {
            await this.#beat("available");
            if (!hasStarted) this.#say("started");
            hasStarted = true;
          }
          if (isInboxDue) await this.#claimInbox();
          await this.#claimSelected();
          await this.#advanceAll();
        } catch (error) {
          this.#trouble(error);
        }
        await wait(LEAST_PAUSE_MS, signal);
        const hasNews = AbortSignal.any([signal, this.#news.signal]);
        await wait(Math.max(0, this.#inboxAt - Date.now()), hasNews).catch(() => signal.throwIfAborted());
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      await this.#guild.agents.heartbeat({ health_status: "offline" }, { timeoutMs: 2_000 }).catch(() => undefined);
      this.#say("stopped");
    } finally {
      ended.abort();
    }
  }

  /** What happens to a task is looked at at once. */
  async #follow(signal: AbortSignal): Promise<void> {
    const types = ["task.*", "contract.*", "payment.*", "dispute.*"];
    for await (const { type, task_id } of this.#guild.events({ types }, { signal })) {
      if (type === "task.selected" && task_id) this.#selected.add(task_id);
      this.#news.abort();
    }
  }

  async #beat(health_status: "available" | "busy"): Promise<void> {
    const { next_in_seconds } = await this.#guild.agents.heartbeat({ health_status }, { signal: this.#session.signal });
    this.#beatMs = next_in_seconds * 1_000;
    this.#beatAt = Date.now() + this.#beatMs;
  }

  /** Has the work done. However long it takes, its provider's health does not go stale. */
  async #run(order: Order, round: string): Promise<Work> {
    const { signal } = this.#session;
    const { task_id } = order;
    const before = this.#state.get(task_id);
    const kept = {
      known: before?.round === round && !before.submitted ? before.agentTask : undefined,
      keep: (agentTask: AgentTask) => this.#state.set(task_id, { round, submitted: false, agentTask }),
    };
    let isBusy = false;
    const timer = setInterval(() => {
      isBusy = true;
      // The next one, or the next call after the program, says what is wrong.
      this.#beat("busy").catch(() => undefined);
    }, this.#beatMs);
    try {
      return await this.#do(order, signal, kept);
    } finally {
      clearInterval(timer);
      if (isBusy) this.#beatAt = 0;
    }
  }

  async #claimInbox(): Promise<void> {
    const { signal } = this.#session;
    for await (const task of this.#guild.jobs.inbox({ limit: 100 }, { signal })) await this.#consider(task);
  }

  async #claimSelected(): Promise<void> {
    const { signal } = this.#session;
    for (const task_id of this.#selected) {
      this.#selected.delete(task_id);
      const found = await this.#guild.jobs.show({ task_id }, { signal }).catch((error: unknown) => {
        // It may have gone elsewhere meanwhile; if not, the inbox has it.
        if (error instanceof GuildhallError) return undefined;
        throw error;
      });
      if (found?.task.state === "open") await this.#consider(found.task);
    }
  }

  async #consider(task: Task): Promise<void> {
    const { signal } = this.#session;
    if (this.#leastPence !== undefined && task.budget_pence < this.#leastPence)
      return this.#sayOnce(task, "passed_over", { reason: `its budget of ${task.budget_pence} pence is too low` });
    if (isAwaitingFiles(task))
      return this.#sayOnce(task, "waiting", { reason: "files of its brief have not arrived yet" });
    await this.#guarded(task, async () => {
      await this.#guild.jobs.claim({ task_id: task.task_id }, { signal });
      this.#say("claimed", { task_id: task.task_id });
    });
  }

  async #advanceAll(): Promise<void> {
    const { signal } = this.#session;
    const open = new Set<string>();
    for (const state of ["in_progress", "accepted", "proposed", "claimed", "submitted"] as const) {
      for await (const task of this.#guild.jobs.mine({ role: "provider", state, limit: 100 }, { signal })) {
        open.add(task.task_id);
        // Only what was sent to this provider: tasks that the operator claimed elsewhere are not CMD's.
        if (task.parties.selected_provider?.public_id === this.#guild.publicId)
          await this.#guarded(task, () => this.#advance(task));
      }
    }
    this.#state.keepOnly(open);
  }

  /** One task as far as it goes now. */
  async #advance(task: Task): Promise<void> {
    const { signal } = this.#session;
    const { task_id } = task;
    if (task.state === "proposed") await this.#considerTerms(task);
    if (task.state === "accepted") {
      if (task.available_actions.some(({ action, ready }) => action === "start" && !ready))
        return this.#sayOnce(task, "waiting", { reason: "it cannot be started yet, for example before it is paid" });
      const started = await this.#guild.jobs.start({ task_id }, { signal });
      this.#say("started_work", { task_id });
      await this.#work(started.task);
    }
    if (task.state === "in_progress") await this.#work(task);
  }

  async #considerTerms(task: Task): Promise<void> {
    const { signal } = this.#session;
    const contract_id = task.agreement?.contract_id;
    if (!contract_id || task.agreement?.provider_accepted_at) return;
    const { contract } = await this.#guild.contracts.show({ contract_id }, { signal });
    const problem =
      this.#leastPence === undefined ? "you have not accepted the terms" : this.#problemWith(contract, task);
    if (problem !== undefined) {
      const command = this.#session.settings.command(
        `contracts accept --contract-id ${contract_id} --terms-hash ${contract.terms_hash}`,
      );
      return this.#sayOnce(task, "waiting", { contract_id, reason: problem, accept_with: command });
    }
    await this.#guild.contracts.accept({ contract_id, terms_hash: contract.terms_hash }, { signal });
    this.#say("accepted", { task_id: task.task_id, contract_id, terms_hash: contract.terms_hash });
  }

  /** Why the terms are not accepted without the operator. */
  #problemWith({ terms, terms_hash }: Contract, task: Task): string | undefined {
    if (!terms) return "the terms are not shown";
    if (this.#guild.terms.hash(terms) !== terms_hash)
      return "the terms do not have the hash that they are offered under";
    if (terms.provider.public_id !== this.#guild.publicId || terms.task_id !== task.task_id)
      return "the terms are for another provider or task";
    const least = this.#leastPence ?? 0;
    return terms.amount_pence < least ? `the amount of ${terms.amount_pence} pence is below ${least}` : undefined;
  }

  async #work(task: Task): Promise<void> {
    const { signal } = this.#session;
    const { task_id, title, brief = "", input, offer, changes_reason: reason } = task;
    const round = reason ? `changes:${reason}` : "first";
    const key = `${task_id} ${round}`;
    const before = this.#state.get(task_id);
    let { result, files } = before?.round === round && !before.submitted ? before : {};
    // Sent back for the same reason as before, it is new work all the same.
    if (result === undefined) {
      if (this.#failed.has(key)) return;
      const contract_id = task.agreement?.contract_id ?? "";
      const { contract } = await this.#guild.contracts.show({ contract_id }, { signal });
      // Of an order by JSON, its input as it was ordered.
      const ordered = { ...(input === undefined ? {} : { input }), ...(offer ? { offer } : {}) };
      const changes = reason ? { changes_reason: reason } : {};
      const work = await this.#run({ task_id, title, brief, ...ordered, terms: contract.terms, ...changes }, round);
      if ("failure" in work) {
        const reason = `${work.failure}; nothing was submitted`;
        if (work.isTemporary) return this.#sayOnce(task, "waiting", { reason });
        this.#failed.add(key);
        this.#state.delete(task_id);
        return this.#say("failed", { task_id, reason });
      }
      ({ result, files } = work);
      // Kept before it is sent: whatever happens next, it is not computed again.
      this.#state.set(task_id, { round, result, files, submitted: false });
      this.#say("computed", { task_id, characters: result.length, files: files?.length });
    }
    try {
      await this.#guild.jobs.submit({ task_id, result, ...(files ? { files } : {}) }, { signal });
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      // Sent again it would be refused again. A corrected program does the work again after a restart.
      this.#failed.add(key);
      this.#state.delete(task_id);
      return this.#say("failed", { task_id, reason: `the result was refused: ${error.message}` });
    }
    this.#state.set(task_id, { round, result, files, submitted: true });
    this.#say("submitted", { task_id });
  }

  /** Trouble with one task is said, and does not keep the others waiting. A final refusal is not tried again. */
  async #guarded(task: Task, work: () => Promise<void>): Promise<void> {
    const step = `${task.task_id} ${task.state}`;
    if (this.#refused.has(step)) return;
    try {
      await work();
    } catch (error) {
      this.#session.signal.throwIfAborted();
      if (error instanceof GuildhallError && error.final) this.#refused.add(step);
      this.#trouble(error, task);
    }
  }

  #trouble(error: unknown, task?: Task): void {
    this.#session.signal.throwIfAborted();
    if (!(error instanceof GuildhallError) || error instanceof InvalidCredential) throw error;
    // Refused as a whole, not with one task: nothing will get better by asking again.
    if (!task && (error.final || error.status === 403)) throw error;
    const facts = { code: error.code, reason: error.message, request_id: error.requestId };
    if (task) this.#sayOnce(task, "trouble", facts);
    else this.#say("trouble", facts);
  }

  #sayOnce(task: Task, event: string, facts: Record<string, unknown>): void {
    const text = `${event} ${String(facts.reason)}`;
    if (this.#said.get(task.task_id) === text) return;
    this.#said.set(task.task_id, text);
    this.#say(event, { task_id: task.task_id, ...facts });
  }

  /** One line for the operator: no secrets, and none of other people's texts. */
  #say(event: string, facts: Record<string, unknown> = {}): void {
    const { output } = this.#session;
    if (output.isJson) {
      output.line(JSON.stringify({ at: new Date().toISOString(), event, ...facts }));
      return;
    }
    const text = Object.entries(facts).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${String(value)}`],
    );
    output.line([new Date().toLocaleTimeString("en-GB"), paint(output, "bold", event), ...text].join("  "));
  }
}

/** The one refusal of a claim that passes by itself, and so is not final. */
const isAwaitingFiles = (task: Task) =>
  task.available_actions.some(({ blocked_by }) => blocked_by.some(({ gate }) => gate === "files"));
