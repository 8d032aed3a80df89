import type { Own } from "./client.ts";
import { MARK } from "./hostile-texts.ts";

export type Json = Record<string, unknown>;

/** Calls the API, and records each answer that contains hostile text without marking it as untrusted. */
export class Witness {
  readonly #baseUrl: string;
  /** Answers with hostile text, and those of them that do not mark it as untrusted. */
  seen = 0;
  readonly unmarked: string[] = [];

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  async send(method: "GET" | "POST", path: string, token?: string, body?: Json, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        ...(body ? { "Content-Type": "application/json" } : {}),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    const answer = JSON.parse(text) as Json;
    if (text.includes(MARK)) {
      this.seen += 1;
      if (answer.content_trust !== "untrusted") this.unmarked.push(`${method} ${path.slice(0, 80)}`);
    }
    return { status: response.status, answer, text };
  }

  /** The IDs of the tasks in an answer. */
  async tasks(path: string, token?: string): Promise<string[]> {
    const { answer } = await this.send("GET", path, token);
    return (answer.tasks as { task_id: string }[]).map(({ task_id: id }) => id);
  }

  /** Does a step, which must succeed. */
  async do<Answer = Json>(path: string, own: Own | undefined, body: Json, headers?: Record<string, string>) {
    const all = own ? { public_id: own.public_id, ...body } : body;
    const { status, answer } = await this.send("POST", `/api/v1/${path}`, own?.management_token, all, headers);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer as Answer;
  }
}
