/** The answer of a registration. */
export type Own = { public_id: string; management_token: string };

type Json = Record<string, unknown>;

/** A client of the HTTP API. Every refused call throws. */
export class Client {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  async post<Answer = Json>(
    path: string,
    body: Json,
    own?: Own,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.#baseUrl}/api/v1/${path}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(own ? { Authorization: `Bearer ${own.management_token}` } : {}),
        ...headers,
      },
      body: JSON.stringify(own ? { public_id: own.public_id, ...body } : body),
    });
    const answer = (await response.json()) as Json;
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer as Answer;
  }
}
