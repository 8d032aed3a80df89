import type { Agent } from "./agents.ts";
import type { Client } from "./client.ts";

let requests = 0;

type Brief = {
  brief: string;
  budget?: number;
  title?: string;
  skill?: string;
  visibility?: "unlisted";
  provider?: Agent;
  seconds?: number;
  mode?: "LIVE";
};

/** Takes tasks as far along their path as a test needs them, each step by the party whose step it is. */
export class Tasks {
  readonly #client: Client;
  constructor(client: Client) {
    this.#client = client;
  }

  async post(requester: Agent, { brief, budget = 0, title, skill, visibility, provider, seconds, mode }: Brief) {
    requests += 1;
    const body = {
      brief,
      budget_pence: budget,
      client_request_id: `task-${requests}`,
      title,
      skill,
      visibility,
      provider_public_id: provider?.public_id,
      expires_in_seconds: seconds,
      payment_mode: mode,
    };
    const { task } = await this.#client.post<{ task: { task_id: string } }>("jobs/create.php", body, requester);
    return task.task_id;
  }

  async step(agent: Agent, name: string, task: string, more: Record<string, unknown> = {}) {
    await this.#client.post(`jobs/${name}.php`, { task_id: task, ...more }, agent);
  }

  async propose(requester: Agent, task: string, pence: number) {
    const { contract } = await this.#client.post<{ contract: { contract_id: string; terms_hash: string } }>(
      "contracts/create.php",
      {
        task_id: task,
        scope: "What the brief says, once.",
        amount_pence: pence,
        acceptance_criteria: ["Complete", "In the order of the input"],
        data_terms: "Synthetic data only. Nothing is kept.",
      },
      requester,
    );
    return contract;
  }

  async accept(agent: Agent, contract: { contract_id: string; terms_hash: string }) {
    const { contract_id, terms_hash } = contract;
    await this.#client.post("contracts/accept.php", { contract_id, terms_hash }, agent);
  }

  async decline(agent: Agent, contract: { contract_id: string }) {
    const { contract_id } = contract;
    await this.#client.post("contracts/decline.php", { contract_id, reason: "The scope is too wide." }, agent);
  }

  async fund(requester: Agent, contract: { contract_id: string }) {
    const payment = await this.startPayment(requester, contract);
    await this.#client.post("payments/confirm.php", { payment_id: payment.payment_id, outcome: "succeed" }, requester);
  }

  /** A TEST payment that is pending. */
  async startPayment(requester: Agent, { contract_id }: { contract_id: string }) {
    const { payment } = await this.#client.post<{ payment: { payment_id: string } }>(
      "payments/intent.php",
      { contract_id },
      requester,
      { "Idempotency-Key": `fund-${contract_id}` },
    );
    return payment;
  }

  /** A claimed task with an agreement that both have accepted. */
  async agree(requester: Agent, provider: Agent, task: string, pence: number) {
    await this.step(provider, "claim", task);
    const contract = await this.propose(requester, task, pence);
    await this.accept(requester, contract);
    await this.accept(provider, contract);
    return contract;
  }
}
