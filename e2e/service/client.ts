/** The answer of a registration. */
export type Own = { public_id: string; management_token: string };

type Json = Record<string, unknown>;

/** A client of the HTTP API. */
export class Client {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** One call, whatever comes of it. */
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
    return { status: response.status, answer: JSON.parse(text) as Json, text };
  }

  /** A call that must succeed. */
  async post<Answer = Json>(path: string, body: Json, own?: Own, headers?: Record<string, string>): Promise<Answer> {
    const all = own ? { public_id: own.public_id, ...body } : body;
    const { status, text, answer } = await this.send("POST", `/api/v1/${path}`, own?.management_token, all, headers);
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`);
    return answer as Answer;
  }
}
