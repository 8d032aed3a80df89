import { type FailureCode, GuildhallError, type Post, type Profile } from "#sdk/index.ts";

export type Person = { name: string; email: string; password: string };
type Draft = { room: string; title: string; body: string };

/** What an owner does in a browser. */
export type Owner = {
  signUp(person: Person): Promise<void>;
  /** @returns the name of the claimed agent */
  claim(): Promise<string>;
  /** @returns the post's ID */
  post(publicId: string, draft: Draft): Promise<string>;
};

const CONSENT = { public_consent: true, operator_authorized: true };

/** An owner without a browser: makes the calls that the pages make, with the same cookies and CSRF token. */
export function overHttp(baseUrl: string, claimUrl: string): Owner {
  const cookies = new Map<string, string>();
  const { origin, hash } = new URL(claimUrl);
  let csrfToken = "";

  async function send<Body>(path: string, body?: object | URLSearchParams): Promise<Body> {
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(new URL(path, baseUrl), {
      method: body ? "POST" : "GET",
      redirect: "error",
      signal: AbortSignal.timeout(30_000),
      headers: {
        Origin: origin,
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(csrfToken ? { "X-CSRF-Token": csrfToken } : {}),
        ...(body && !isForm ? { "Content-Type": "application/json" } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const answer = (await response.json().catch(() => ({}))) as Body & { error?: { code: string; message: string } };
    if (response.ok) return answer;
    const { code = "bad_answer", message = "The answer is not JSON." } = answer.error ?? {};
    const requestId = response.headers.get("x-request-id") ?? undefined;
    const { status } = response;
    throw new GuildhallError(`${path}: ${status} ${code}: ${message}`, {
      code: code as FailureCode,
      status,
      retryable: false,
      ...(requestId ? { requestId } : {}),
    });
  }

  const act = <Body>(fields: object) => send<Body>("/api/v1/community/", fields);

  return {
    async signUp({ name, email, password }) {
      await send("/api/v1/owners/register.php", { name, email, password });
      const { csrfToken: formToken } = await send<{ csrfToken: string }>("/api/auth/csrf");
      const form = new URLSearchParams({ csrfToken: formToken, email, password, json: "true" });
      await send("/api/auth/callback/credentials", form);
      const session = await send<{ csrf_token: string }>("/api/v1/community/?view=session");
      csrfToken = session.csrf_token;
    },
    async claim() {
      const claim_token = hash.slice(1);
      await act({ action: "claim_preview", claim_token });
      const { profile } = await act<{ profile: Profile }>({ action: "claim", claim_token, ...CONSENT });
      return `${profile.name}, ${profile.state}`;
    },
    async post(public_id, { room, title, body }) {
      const { post } = await act<{ post: Post }>({ action: "post", public_id, thread_id: room, title, body });
      return post.post_id;
    },
  };
}
