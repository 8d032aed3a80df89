import { z } from "zod";
import { countCall, RateLimited } from "#lib/db/rate-limit.ts";
import {
  type CatalogueFilter,
  findInCatalogue,
  listCatalogue,
  MOST_RANKED,
  searchCatalogue,
} from "#lib/identity/directory/catalogue.ts";
import { decodeCursor, encodeCursor } from "#lib/kernel/cursor.ts";
import { env } from "#lib/kernel/env.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { idPattern, newId } from "#lib/kernel/ids.ts";
import type { Origin } from "../callers/admit-caller.ts";
import { Answer, type ApiRequest } from "../exchange.ts";
import { reportFailure } from "../failure.ts";
import { checkBodyShape, NOT_JSON, readJson } from "../input.ts";
import { READABLE_ANYWHERE, respond, respondPublic } from "../respond.ts";
import { agentEntry, TYPES } from "./entry.ts";
import { parseFilter } from "./filter.ts";

// The directory for registries of agents (Agentic Resource Discovery): the same for everybody.

/** What a caller did wrong, in the form of that interface. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
const invalid = (message: string) => new Refused(400, "INVALID_ARGUMENT", message);
const notFound = () => new Refused(404, "NOT_FOUND", "Not found.");

const PUBLIC_ID = idPattern("agt");
const MOST_PER_PAGE = 100;
const PAGE_SIZE = `must be a whole number from 1 to ${MOST_PER_PAGE}`;
const PageSize = z.coerce.number(PAGE_SIZE).int(PAGE_SIZE).min(1, PAGE_SIZE).max(MOST_PER_PAGE, PAGE_SIZE);

const Page = z.object({ pageSize: PageSize });

/** PostgreSQL can't hold every control character. */
const Plain = z.string().regex(/^\P{Cc}*$/u, "must not contain control characters");

const Search = z.strictObject({
  query: z.strictObject({
    text: Plain.trim().min(1).max(500),
    filter: z.record(z.string(), z.union([Plain, z.array(Plain).max(20)])).optional(),
  }),
  federation: z.enum(["auto", "referrals", "none"]).optional(),
  pageSize: PageSize.optional(),
  pageToken: z.string().optional(),
});

/** @throws Refused saying what is wrong with the first field that is */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(
    issue?.message.startsWith("must ")
      ? `${issue.path.join(".")} ${issue.message}.`
      : `${issue?.path.join(".") || "The request"}: ${issue?.message ?? "is wrong"}.`,
  );
}

/** Of the constraints on an entry, those that say something about an agent. */
function conditions(filter: Record<string, string[]>): CatalogueFilter | "nothing" {
  const wanted: CatalogueFilter = {};
  for (const [path, values] of Object.entries(filter)) {
    if (path === "tags" || path === "capabilities")
      wanted.skills = wanted.skills ? wanted.skills.filter((skill) => values.includes(skill)) : values;
    else if (path === "publisher") wanted.hosts = values.map((value) => value.toLowerCase());
    else if (path === "type") {
      const [card, profile] = [values.includes(TYPES.agentCard), values.includes(TYPES.profile)];
      if (!card && !profile) return "nothing";
      if (card !== profile) wanted.a2a = card;
    } else throw invalid(`filter: ${path.slice(0, 50)} is not supported. Use type, tags, capabilities or publisher.`);
  }
  return wanted;
}

async function search(request: ApiRequest) {
  checkBodyShape(request);
  const body = await readJson(request);
  if (body === NOT_JSON) throw invalid("The body must be JSON in UTF-8.");
  const { query, pageSize = 10, pageToken } = checked(Search, body);
  const offset = pageToken === undefined ? 0 : Number(decodeCursor(pageToken) ?? Number.NaN);
  if (!Number.isSafeInteger(offset) || offset < 0 || offset > MOST_RANKED)
    throw invalid("pageToken: must be one that this search gave.");
  const filter = Object.fromEntries(
    Object.entries(query.filter ?? {}).map(([path, values]) => [path, [values].flat()]),
  );
  const wanted = conditions(filter);
  const found = wanted === "nothing" ? [] : await searchCatalogue(query.text, wanted, { limit: pageSize + 1, offset });
  const source = `${env().baseUrl}/ard`;
  return {
    results: found.slice(0, pageSize).map(({ score, ...row }) => ({ ...agentEntry(row), score, source })),
    ...(found.length > pageSize ? { pageToken: encodeCursor(String(offset + pageSize)) } : {}),
  };
}

async function list(query: URLSearchParams) {
  const { pageSize } = checked(Page, { pageSize: query.get("pageSize") ?? 20 });
  const orderBy = query.get("orderBy");
  if (orderBy && !/^created_?at desc$/i.test(orderBy.trim()))
    throw invalid("orderBy: entries are ordered by createdAt DESC; nothing else is supported.");
  const token = query.get("pageToken");
  const cursor = token ? decodeCursor(token) : undefined;
  if (token && cursor === undefined) throw invalid("pageToken: must be one that this list gave.");
  const parsed = parseFilter(query.get("filter") ?? "");
  if (!parsed) throw invalid("filter: must be comparisons like type = 'application/json', joined by AND.");
  const wanted = conditions(parsed);
  if (wanted === "nothing") return { items: [] };
  const { rows, nextCursor } = await listCatalogue({ limit: pageSize, ...(cursor ? { cursor } : {}) }, wanted);
  return { content_trust: "untrusted", items: rows.map(agentEntry), ...(nextCursor ? { pageToken: nextCursor } : {}) };
}

async function answer(request: ApiRequest, url: URL): Promise<object> {
  const [, , first = "", second, ...more] = url.pathname.split("/");
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (more.length > 0) throw notFound();
  if (first === "search" && second === undefined && request.method === "POST") return search(request);
  if (first === "explore" && second === undefined && request.method === "POST")
    throw new Refused(501, "UNIMPLEMENTED", "This registry does not implement explore. Use search.");
  if (first === "agents" && second === undefined && isRead) return list(url.searchParams);
  if (first === "agents" && second !== undefined && isRead) {
    const row = PUBLIC_ID.test(second) ? await findInCatalogue(second) : undefined;
    if (row) return { content_trust: "untrusted", ...agentEntry(row) };
  }
  throw notFound();
}

/** Scripts of other sites may read and search the directory. */
const PREFLIGHT = {
  Allow: "GET, HEAD, POST, OPTIONS",
  "Access-Control-Allow-Methods": "GET, POST",
  "Access-Control-Allow-Headers": "Content-Type, If-None-Match",
};

/** Answers `/ard/…`. Counts like a public read of the API. */
export async function answerArd(request: ApiRequest, { address }: Origin): Promise<Answer> {
  const requestId = newId("req");
  const headers: Record<string, string> = { "X-Request-Id": requestId };
  if (request.method === "OPTIONS")
    return new Answer(204, { ...securityHeaders("data"), ...headers, ...READABLE_ANYWHERE, ...PREFLIGHT }, null);
  try {
    Object.assign(headers, await countCall(["public_read"], () => `ip:${address}`));
    const body = JSON.stringify(await answer(request, new URL(request.url)));
    return respondPublic(request, body, headers);
  } catch (thrown) {
    const refused = thrown instanceof Refused ? thrown : refusalOf(thrown, requestId);
    const body = JSON.stringify({ errorCode: refused.code, message: refused.message });
    const wait: Record<string, string> =
      thrown instanceof RateLimited
        ? { ...thrown.headers, "Retry-After": String(thrown.details.retryAfterSeconds) }
        : {};
    return respond(refused.status, body, {
      ...headers,
      ...wait,
      "Cache-Control": "no-store",
      ...READABLE_ANYWHERE,
    });
  }
}

/** What the API would say, in the form of this interface. */
function refusalOf(thrown: unknown, requestId: string): Refused {
  const error = reportFailure(requestId, "/ard", thrown);
  // A body that is too large, or of another type, is a malformed request here.
  if (error.status < 429) return invalid(error.message);
  return new Refused(error.status, error.status === 429 ? "RATE_LIMITED" : "INTERNAL", error.message);
}
