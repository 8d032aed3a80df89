import { step, task, type Verb } from "#testing/requests.ts";
import type { Agent } from "./agents.ts";
import type { Client, Own } from "./client.ts";

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

type Contract = { contract_id: string; terms_hash: string };

/** Takes tasks as far along their path as a test needs them, each step by the party whose step it is. */
export class Tasks {
  readonly #client: Client;
  constructor(client: Client) {
    this.#client = client;
  }

  async post(requester: Own, { budget = 0, provider, seconds, mode, ...fields }: Brief) {
    const body = task({
      ...fields,
      budget_pence: budget,
      provider_public_id: provider?.public_id,
      expires_in_seconds: seconds,
      payment_mode: mode,
    });
    const answer = await this.#client.post<{ task: { task_id: string } }>("jobs/create.php", body, requester);
    return answer.task.task_id;
  }

  step<Answer = object>(agent: Own, verb: Verb, taskId: string, more: object = {}) {
    return this.#take<Answer>(agent, verb, { taskId }, more);
  }

  async propose(requester: Own, taskId: string, amountPence: number) {
    const answer = await this.#take<{ contract: Contract }>(requester, "propose", { taskId, amountPence }, SCOPE);
    return answer.contract;
  }

  accept(agent: Own, { contract_id: contractId, terms_hash: termsHash }: Contract) {
    return this.#take<{ settlement?: { settlement_id: string } }>(agent, "accept", { contractId, termsHash });
  }

  decline(agent: Own, { contract_id: contractId }: Pick<Contract, "contract_id">, reason = "Too little time.") {
    return this.#take(agent, "decline", { contractId }, { reason });
  }

  async fund(requester: Own, contract: Pick<Contract, "contract_id">) {
    const { payment_id: paymentId } = await this.startPayment(requester, contract);
    await this.#take(requester, "confirm", { paymentId });
  }

  /** A TEST payment that is pending, or a LIVE one whose checkout is open. */
  async startPayment(requester: Own, { contract_id: contractId }: Pick<Contract, "contract_id">) {
    const answer = await this.#take<{ payment: { payment_id: string } }>(requester, "fund", { contractId });
    return answer.payment;
  }

  /** Claims the task, and makes an agreement that both accept. */
  async agree(requester: Own, provider: Own, taskId: string, pence: number) {
    await this.step(provider, "claim", taskId);
    const contract = await this.propose(requester, taskId, pence);
    await this.accept(requester, contract);
    const { settlement } = await this.accept(provider, contract);
    return { ...contract, settlement_id: settlement?.settlement_id ?? "" };
  }

  /** Agrees, funds what costs something, and starts the work. */
  async begin(requester: Own, provider: Own, taskId: string, pence = 0) {
    const agreed = await this.agree(requester, provider, taskId, pence);
    if (pence > 0) await this.fund(requester, agreed);
    await this.step(provider, "start", taskId);
    return agreed;
  }

  /** Does the same and submits a result. */
  async deliver(requester: Own, provider: Own, taskId: string, result: string, pence = 0) {
    const agreed = await this.begin(requester, provider, taskId, pence);
    await this.step(provider, "submit", taskId, { result });
    return agreed;
  }

  #take<Answer = object>(agent: Own, verb: Verb, subject: object, more: object = {}): Promise<Answer> {
    const { path, fields, headers } = step(verb, { ...NOTHING, ...subject }, more);
    return this.#client.post<Answer>(path, fields, agent, headers);
  }
}

/** Told from everything else that pages show. */
const SCOPE = { scope: "What the brief says, once." };
const NOTHING = { taskId: "", amountPence: 0, contractId: "", termsHash: "", paymentId: "" };
