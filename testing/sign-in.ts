import type { RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AuthOptions } from "next-auth";
import { answerSignIn } from "#lib/api/callers/owner-sign-in.ts";
import { env } from "#lib/kernel/env.ts";
import { call } from "./client.ts";
import { succeeded } from "./factories.ts";

type PagesHandler = (request: object, response: object, options: AuthOptions) => Promise<void>;
const { default: nextAuth } = createRequire(import.meta.url)("next-auth") as { default: PagesHandler };

/** next-auth without Next, through its handler that needs only a request and a response. */
async function runNextAuth(request: Request, options: AuthOptions): Promise<Response> {
  const url = new URL(request.url);
  const headers = new Headers();
  let status = 200;
  let body: string | null = null;
  const response = {
    status(code: number) {
      status = code;
      return response;
    },
    getHeader: () => headers.getSetCookie(),
    setHeader(name: string, value: string | string[]) {
      headers.delete(name);
      for (const each of [value].flat()) headers.append(name, each);
      return response;
    },
    json: (value: unknown) => response.send(value),
    send(value: unknown) {
      body = value === undefined ? null : JSON.stringify(value);
    },
    end: () => undefined,
  };
  await nextAuth(
    {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      cookies: Object.fromEntries(cookiesOf(request.headers.get("cookie") ?? "")),
      query: { ...Object.fromEntries(url.searchParams), nextauth: url.pathname.split("/").slice(3) },
      body: await bodyOf(request),
    },
    response,
    options,
  );
  return new Response(body, { status, headers });
}

/** next-auth takes JSON as well as forms. */
async function bodyOf(request: Request): Promise<object> {
  const isJson = request.headers.get("content-type")?.startsWith("application/json");
  return isJson ? ((await request.json()) as object) : Object.fromEntries(new URLSearchParams(await request.text()));
}

function cookiesOf(header: string): [string, string][] {
  return header
    .split("; ")
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
    });
}

/** `/api/auth/…` over HTTP, for services that run without their pages. */
export function signInListener(): RequestListener {
  return async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = new Request(new URL(incoming.url ?? "/", env().baseUrl), {
      method: incoming.method ?? "GET",
      headers: new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
      body: incoming.method === "POST" ? Buffer.concat(chunks) : null,
    });
    const response = await answerSignIn(request, incoming.socket.remoteAddress ?? "", runNextAuth);
    outgoing.writeHead(response.status, [...response.headers].flat()).end(await response.text());
  };
}

/** A browser's cookies and its calls to `/api/auth/`. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly address: string;

  constructor(address = "192.0.2.1") {
    this.address = address;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** From one of the service's own pages, unless `headers` say otherwise. */
  send(path: string, form?: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return this.sendForm(path, form, { ...(form ? { Origin: env().baseUrl } : {}), ...headers });
  }

  /** As a program does it: without an Origin, unless `headers` name one. */
  sendForm(path: string, form?: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(path, form ? new URLSearchParams(form) : undefined, headers);
  }

  /** Like one of the service's own pages, but with a JSON body. */
  sendJson(path: string, body: object): Promise<Response> {
    return this.#send(path, JSON.stringify(body), { Origin: env().baseUrl, "Content-Type": "application/json" });
  }

  async #send(path: string, body: BodyInit | undefined, headers: Record<string, string>): Promise<Response> {
    const request = new Request(new URL(path, env().baseUrl), {
      method: body ? "POST" : "GET",
      headers: { Cookie: this.cookie, ...headers },
      body,
    });
    const response = await answerSignIn(request, this.address, runNextAuth);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  async csrfToken(): Promise<string> {
    const { csrfToken } = (await (await this.send("/api/auth/csrf")).json()) as { csrfToken: string };
    return csrfToken;
  }

  /** The answer to an attempt to sign in with a password. */
  async signIn(email: string, password: string): Promise<Response> {
    const csrfToken = await this.csrfToken();
    return this.send("/api/auth/callback/credentials", { csrfToken, email, password, json: "true" });
  }

  async signOut(): Promise<Response> {
    return this.send("/api/auth/signout", { csrfToken: await this.csrfToken(), json: "true" });
  }
}

export const PASSWORD = "correct horse battery";
let made = 0;

/** The e-mail address of a new account whose password is `PASSWORD`. */
export async function newAccount(): Promise<string> {
  made += 1;
  const email = `person-${made}@example.com`;
  const body = { name: "Ada Lovelace", email, password: PASSWORD };
  succeeded(await call("POST", "/api/v1/owners/register.php", { body }));
  return email;
}

export async function canSignIn(email: string, password: string): Promise<boolean> {
  return (await new TestBrowser().signIn(email, password)).status === 200;
}
