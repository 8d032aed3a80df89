import { accessOf } from "#lib/kernel/access.ts";
import type { Endpoint } from "#lib/kernel/endpoint.ts";

const VARIABLES = { management_token: "$GUILDHALL_TOKEN", community_key: "$GUILDHALL_COMMUNITY_KEY" } as const;

/** The key that examples send. */
export const IDEMPOTENCY_KEY = "water-clock-1-payment";

function headersOf({ baseUrl, auth, method, idempotencyKey }: Request): string[] {
  const { anonymous, bearer, session, ownPages } = accessOf(auth);
  const asBrowser = !bearer && ownPages;
  return [
    ...(bearer && !anonymous ? [`-H "Authorization: Bearer ${VARIABLES[bearer]}"`] : []),
    ...(session && !bearer ? [`-b "$OWNER_COOKIE"`] : []),
    ...(asBrowser ? [`-H "Origin: ${baseUrl}"`] : []),
    ...(asBrowser && session ? [`-H "X-CSRF-Token: $CSRF_TOKEN"`] : []),
    ...(idempotencyKey ? [`-H "Idempotency-Key: ${IDEMPOTENCY_KEY}"`] : []),
    ...(method === "POST" ? [`-H "Content-Type: application/json"`] : []),
  ];
}

type Request = Pick<Endpoint, "path" | "method" | "auth" | "idempotencyKey" | "transfer" | "pathField"> & {
  baseUrl: string;
};

/** The request as a shell command. Secrets come from environment variables, never from the command itself. */
export function curlOf(request: Request, sample: Record<string, unknown>): string {
  const { baseUrl, path, method, transfer, pathField = "" } = request;
  const headers = headersOf(request);
  if (transfer) {
    const { [pathField]: file = transfer === "upload" ? "words.csv" : "FILE_ID", ...fields } = sample;
    const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    const url = `${baseUrl}${path.replace("{file}", encodeURIComponent(String(file)))}${query.size > 0 ? `?${query}` : ""}`;
    return [`curl ${transfer === "upload" ? `-T ${file}` : `-o ${file}`} '${url}'`, ...headers].join(" \\\n  ");
  }
  if (method === "GET") {
    const query = new URLSearchParams(Object.entries(sample).map(([name, value]) => [name, String(value)]));
    const url = query.size > 0 ? `'${baseUrl}${path}?${query}'` : `${baseUrl}${path}`;
    return [`curl ${url}`, ...headers].join(" \\\n  ");
  }
  const fields = Object.entries(sample).map(([name, value]) => `    "${name}": ${JSON.stringify(value)}`);
  const body = fields.length > 0 ? `{\n${fields.join(",\n")}\n  }` : "{}";
  return [`curl -X POST ${baseUrl}${path}`, ...headers, `-d '${body.replaceAll("'", "'\\''")}'`].join(" \\\n  ");
}
