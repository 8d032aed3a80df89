import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import type { z } from "zod";
import { ErrorBody } from "#lib/api/error-body.ts";
import { handle } from "#lib/api/handle.ts";
import { errorCodesOf } from "#lib/api/openapi/operation.ts";
import { isFamily, methodsOf } from "#lib/api/registry.ts";
import { closeDatabase } from "#lib/db/client.ts";
import { closeLimiters } from "#lib/db/rate-limit.ts";
import { type ProberDouble, replaceProber } from "#lib/identity/domain/probing.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { testDatabase } from "./database.ts";

/** A prober for which every domain serves its proof. */
export const provingProber: ProberDouble = { probe: async () => ({ ok: true }) };

/**
 * The service on a fresh database, without rate limits, where every domain proves itself. To be called before anything
 * reads the configuration; `variables` come on top of the environment.
 */
export async function startTestService(variables: Record<string, string> = {}) {
  const database = await testDatabase();
  const files = mkdtempSync(join(tmpdir(), "guildhall-files-"));
  Object.assign(process.env, {
    ...databaseVariables(database.url),
    AUTH_SECRET: "a secret that only tests know, of some length",
    RATE_LIMIT_SCALE: "0",
    FILES_DIR: files,
    LOG_LEVEL: process.env.LOG_LEVEL ?? "silent",
    ...variables,
  });
  (globalThis as { guildhallEnv?: unknown }).guildhallEnv = undefined;
  replaceProber(provingProber);
  return {
    url: database.url,
    /** For what the service's role may not do: tables, triggers, VACUUM, ANALYZE, bulk loads. */
    ownerUrl: database.ownerUrl,
    async stop() {
      replaceProber(undefined);
      await closeLimiters();
      await closeDatabase();
      await database.drop();
      rmSync(files, { recursive: true });
    },
  };
}

/** With `TEST_POOLER_URL`, the service comes to its database through that pooler, and only to what belongs to a session directly. */
function databaseVariables(url: string): Record<string, string> {
  const pooler = process.env.TEST_POOLER_URL;
  if (!pooler) return { DATABASE_URL: url };
  return { DATABASE_URL: new URL(new URL(url).pathname, pooler).href, DIRECT_DATABASE_URL: url };
}

type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Prepares what the tests of a file need. @returns what has to be ended before the service is stopped */
export type Prepare = () => Promise<(() => unknown) | undefined>;

/** The service for all tests of a file: filled in and prepared before the first, and stopped after the last. */
export function testService(variables: Record<string, string> = {}, prepare?: Prepare): TestService {
  return forFile(() => startTestService(variables), prepare);
}

/**
 * What is started before the first test of a file and stopped after the last. Node begins all `before` hooks of a file at once, so
 * what needs it is prepared here.
 */
export function forFile<Started extends { stop(): Promise<void> }>(
  start: () => Promise<Started>,
  prepare?: Prepare,
): Started {
  const holder = {} as Started;
  let started: Started | undefined;
  let end: (() => unknown) | undefined;
  before(async () => {
    started = await start();
    Object.assign(holder, started);
    end = await prepare?.();
  });
  after(async () => {
    await end?.();
    await started?.stop();
  });
  return holder;
}

export type CallOptions = {
  /** Management token, sent as bearer. */
  token?: string;
  query?: Record<string, string | number | undefined>;
  /** A string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The caller's address, for limits that count by it. */
  address?: string;
};

export type Answer<Body> = {
  status: number;
  body: Body;
  headers: Headers;
  /** What was refused, and why; undefined for an answer without refusal. */
  error: z.output<typeof ErrorBody>["error"] | undefined;
};

/** The refusal, such as `409 state_conflict`; only the status if it is none. */
export function outcome({ status, error }: Pick<Answer<unknown>, "status" | "error">): string {
  return error ? `${status} ${error.code}` : `${status}`;
}

/**
 * One API call. Every answer is compared with what the endpoint declares: fields
 * beyond its output, undeclared error codes and undeclared statuses fail the test.
 */
export async function call<Body = unknown>(
  method: string,
  path: string,
  { token, query = {}, body, headers = {}, address = "192.0.2.1" }: CallOptions = {},
): Promise<Answer<Body>> {
  const url = new URL(path, "http://localhost:3000");
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  const all = new Headers(headers);
  if (token !== undefined) all.set("Authorization", `Bearer ${token}`);
  if (body !== undefined && !all.has("Content-Type")) all.set("Content-Type", "application/json");
  const payload = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const response = await handle(new Request(url, { method, headers: all, body: payload }), { address });

  const text = await response.text();
  const answered: unknown = text === "" ? undefined : JSON.parse(text);
  const endpoint = findEndpoint(method, url.pathname, (field) =>
    method === "POST" ? (body as Record<string, unknown> | undefined)?.[field] : url.searchParams.get(field),
  );
  if (response.status >= 400) {
    const { error } = checkError(endpoint, response, answered);
    return { status: response.status, body: answered as Body, headers: response.headers, error };
  }
  if (endpoint && answered !== undefined) checkSuccess(endpoint, response.status, answered);
  return { status: response.status, body: answered as Body, headers: response.headers, error: undefined };
}

/** The endpoint that a request names: by method and path, and in a family by the selector's value. */
function findEndpoint(method: string, path: string, select: (field: string) => unknown): Endpoint | undefined {
  const entry = methodsOf(path)?.[method === "HEAD" ? "GET" : (method as "GET" | "POST" | "PUT")];
  if (!entry || !isFamily(entry)) return entry;
  const name = select(entry.field);
  return typeof name === "string" ? entry.members.get(name.trim()) : undefined;
}

function checkError(endpoint: Endpoint | undefined, response: Response, body: unknown) {
  const parsed = ErrorBody.parse(body);
  assert.deepEqual(body, parsed, "an error has undeclared fields");
  assert.equal(response.headers.get("X-Request-Id"), parsed.request_id);
  if (endpoint) assert.ok(errorCodesOf(endpoint).includes(parsed.error.code), `${parsed.error.code} is not declared`);
  return parsed;
}

function checkSuccess(endpoint: Endpoint, status: number, body: unknown): void {
  assert.ok(status === endpoint.status || status === endpoint.otherStatus, `status ${status} is not declared`);
  const { ok, content_trust: trust, ...rest } = body as Record<string, unknown>;
  if (endpoint.path.endsWith("openapi.json")) return;
  assert.equal(ok, true);
  assert.equal(trust, endpoint.untrusted ? "untrusted" : undefined);
  assert.deepEqual(rest, endpoint.output.parse(rest), "an answer has undeclared fields");
}
