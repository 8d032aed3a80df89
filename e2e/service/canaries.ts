import { randomBytes } from "node:crypto";
import { expect } from "playwright/test";
import { Exposure, type Received } from "./exposure.ts";
import type { Service } from "./run.ts";

export const API = "/api/v1/";
export const COMMUNITY = `${API}community/`;

export type Fields = Record<string, unknown>;

/** A text that cannot be guessed and does not occur by chance. */
export const random = () => randomBytes(18).toString("hex");

export const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

/** Secrets that a service received or issued, each with the answers that may show it. */
export class Canaries extends Exposure {
  readonly origin: string;
  readonly dataDir: string;
  readonly #planted = new Map<string, { name: string; at: string[] }>();

  constructor(service: Service) {
    super(service);
    this.origin = service.baseUrl;
    this.dataDir = service.dataDir;
  }

  /** Notes a secret with the labels of the answers that show it, and returns it. */
  plant(name: string, secret: unknown, ...at: string[]): string {
    expect(secret, `${name} was never given`).toBeTruthy();
    const text = String(secret);
    this.#planted.set(text, { name, at });
    return text;
  }

  /** Each secret's name, with the places where it may appear and those where it was found. */
  places(): { allowed: Record<string, string[]>; found: Record<string, string[]> } {
    const all = [...this.#planted];
    return {
      allowed: Object.fromEntries(all.map(([, { name, at }]) => [name, at])),
      found: Object.fromEntries(all.map(([secret, { name }]) => [name, this.placesOf(secret).sort()])),
    };
  }

  /** An action of the community, which must succeed. */
  async act(label: string, fields: Fields, headers: Record<string, string> = {}): Promise<Fields> {
    const heard = await this.send(label, "POST", COMMUNITY, { json: fields, headers });
    expect(heard.status, `${label}: ${heard.text}`).toBeLessThan(300);
    return heard.json<Fields>();
  }

  /** Signs in as the page does, with a password that may be wrong. @returns the session's cookie */
  async signIn(label: string, email: string, password: string): Promise<string | undefined> {
    const first = await this.send(`${label}: token`, "GET", "/api/auth/csrf");
    const { csrfToken } = first.json<{ csrfToken: string }>();
    const second = await this.send(label, "POST", "/api/auth/callback/credentials", {
      form: { csrfToken, email, password, json: "true" },
      headers: {
        Origin: this.origin,
        Cookie: [...cookiesOf(first)].map(([name, value]) => `${name}=${value}`).join("; "),
      },
    });
    return cookiesOf(second).get("next-auth.session-token");
  }
}

/** The cookies that an answer sets. */
export function cookiesOf({ headers }: Received): Map<string, string> {
  return new Map(
    headers.getSetCookie().map((line) => {
      const [pair = ""] = line.split(";");
      return [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
    }),
  );
}
