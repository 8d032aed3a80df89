import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { newId } from "#lib/kernel/ids.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import type { TestAgent } from "./factories.ts";
import { type HttpAnswer, request } from "./processes/processes.ts";

/** A write that the service has acknowledged: whose, and which step. */
type Acknowledged = { flow: string; verb: string };

type Flow = { key: string; taskId?: string; contractId?: string; termsHash?: string; paymentId?: string };

/**
 * Careful clients that bring many paid tasks from creation to completion while the service may fail at any moment: after
 * an interruption they look at the state and go on from there, with the same keys. Each task takes ten writes.
 */
export class Writers {
  readonly acknowledged: Acknowledged[] = [];
  /** Every status that came, and how often. */
  readonly statuses = new Map<number, number>();
  /** Calls that got no answer at all. */
  unanswered = 0;
  /** A writer got a wrong answer: the others stop too. */
  failed = false;
  readonly url: string;
  readonly #parties: { requester: TestAgent; provider: TestAgent };
  #waiting = 0;
  #gate: { opened: Promise<void>; open(): void } | undefined;
  #running = 0;
  #failure: unknown;

  constructor(url: string, parties: { requester: TestAgent; provider: TestAgent }) {
    this.url = url;
    this.#parties = parties;
  }

  /** Runs `flows` tasks to their end, some at a time. */
  async run(flows: number, atOnce = 8): Promise<void> {
    const queue = Array.from({ length: flows }, (): Flow => ({ key: newId("req") }));
    this.#running = atOnce;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        try {
          for (let flow = queue.pop(); flow; flow = queue.pop()) while (!(await this.#step(flow)));
        } catch (error) {
          this.#failure ??= error;
          throw error;
        } finally {
          this.#running -= 1;
        }
      }),
    );
  }

  /** From now on interrupted writers wait. Resolves when all of them wait; rejects if one got a wrong answer. */
  async hold(): Promise<void> {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    this.#gate = { opened, open };
    while (this.#waiting < this.#running && !this.failed) await delay(10);
    if (this.#failure) throw this.#failure;
  }

  goOn(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  async #step(flow: Flow): Promise<boolean> {
    if (this.#gate) await this.#pause();
    try {
      return await this.#advance(flow);
    } catch (error) {
      if (error instanceof assert.AssertionError) {
        this.failed = true;
        throw error;
      }
      this.unanswered += 1;
    }
    await this.#pause();
    return false;
  }

  async #pause(): Promise<void> {
    this.#waiting += 1;
    await (this.#gate?.opened ?? delay(100));
    this.#waiting -= 1;
  }

  /** One step forward from wherever the task is; true at its end. */
  async #advance(flow: Flow): Promise<boolean> {
    const { requester, provider } = this.#parties;
    if (!flow.taskId) {
      const fields = { brief: "b", budget_pence: 1_000, client_request_id: flow.key, visibility: "unlisted" };
      const { task } = await this.#write(flow, "create", requester, "jobs/create", fields);
      flow.taskId = (task as TaskWire | undefined)?.task_id;
      return false;
    }
    const task_id = flow.taskId;
    const { body, status } = await this.#call("GET", requester, "jobs/show", { task_id });
    if (status !== 200) return this.#pause().then(() => false);
    const { state, agreement } = body.task as TaskWire;
    const contract_id = agreement?.contract_id;
    if (state === "completed") return true;
    if (state === "open") await this.#write(flow, "claim", provider, "jobs/claim", { task_id });
    if (state === "claimed") {
      const terms = { scope: "s", amount_pence: 1_000, acceptance_criteria: [], data_terms: "d" };
      await this.#write(flow, "propose", requester, "contracts/create", { task_id, ...terms });
    }
    if (state === "proposed") {
      const isFirst = !agreement?.requester_accepted_at;
      const fields = { contract_id, terms_hash: agreement?.terms_hash };
      await this.#write(
        flow,
        isFirst ? "accept_requester" : "accept_provider",
        isFirst ? requester : provider,
        "contracts/accept",
        fields,
      );
    }
    if (state === "accepted") {
      const { payment } = await this.#write(flow, "fund", requester, "payments/intent", { contract_id });
      const payment_id = (payment as { payment_id: string } | undefined)?.payment_id;
      if (!payment_id) return false;
      const paid = await this.#write(flow, "confirm", requester, "payments/confirm", {
        payment_id,
        outcome: "succeed",
      });
      if (paid.payment) await this.#write(flow, "start", provider, "jobs/start", { task_id });
    }
    if (state === "in_progress") await this.#write(flow, "submit", provider, "jobs/submit", { task_id, result: "r" });
    if (state === "submitted") await this.#write(flow, "complete", requester, "jobs/complete", { task_id });
    return false;
  }

  async #write(flow: Flow, verb: string, agent: TestAgent, path: string, fields: object) {
    const { status, body, headers } = await this.#call("POST", agent, path, fields, { "Idempotency-Key": flow.key });
    if (status === 200 || status === 201) {
      this.acknowledged.push({ flow: flow.key, verb });
      return body;
    }
    const { code } = body.error as { code: string };
    // If its answer was lost, the writer finds the state that its own step caused.
    assert.ok(status === 503 || code === "state_conflict", `${verb}: ${status} ${code}`);
    if (status === 503) {
      assert.equal(code, "temporarily_unavailable");
      assert.ok(Number(headers.get("Retry-After")) >= 1);
      await this.#pause();
    }
    return {};
  }

  async #call(
    method: "GET" | "POST",
    agent: TestAgent,
    path: string,
    fields: object,
    headers = {},
  ): Promise<HttpAnswer> {
    const all = { public_id: agent.publicId, ...fields };
    const answer = await request(this.url, method, `${path}.php`, { token: agent.token, fields: all, headers });
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    return answer;
  }
}
