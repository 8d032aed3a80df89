import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { curlOf } from "#lib/api/curl.ts";
import { type Example, exampleName } from "#lib/api/examples/recorded.ts";
import { buildOpenApi } from "#lib/api/openapi/openapi.ts";
import { ENDPOINTS, TRANSFERS } from "#lib/api/registry.ts";
import { publishedInput } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { type IdPrefix, replaceIdSource } from "#lib/kernel/ids.ts";
import { callId } from "#lib/kernel/operation-id.ts";
import { beginLog } from "#lib/record/log/enter.ts";
import { signCheckpoint } from "#lib/record/log/sign.ts";
import { startRecord } from "#lib/record/record.ts";
import { schemasOf } from "../document.ts";
import type { TestAgent } from "../factories.ts";
import { startLive } from "../live.ts";
import { isAnythingLeft } from "../log/signed-log.ts";
import type { TestOwner } from "../owner.ts";
import { serveHttp } from "../served.ts";
import { VAPID_PRIVATE_KEY } from "../web-push.ts";
import { pathWithCurl } from "./programs.ts";
import { asSample, formOf, withoutTimes } from "./samples.ts";

// Runs examples of calls as they are printed, and records or compares what is answered.

const PUBLISHED = [...ENDPOINTS, ...TRANSFERS];
const FILE = join(import.meta.dirname, "../../lib/api/examples/recorded.json");
const IS_RECORDING = process.env.RECORD_EXAMPLES === "1";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** The first task of each run has the same ID, and so on: examples can then refer to each other, and hashes of terms stay the same. */
function drawIdsInOrder(): void {
  const drawn = new Map<IdPrefix, number>();
  replaceIdSource((prefix) => {
    const count = (drawn.get(prefix) ?? 0) + 1;
    drawn.set(prefix, count);
    const bytes = createHash("sha256").update(`${prefix} ${count}`).digest().subarray(0, 22);
    return [...bytes].map((byte) => BASE58[byte % 58]).join("");
  });
}

export type Caller = {
  agent?: TestAgent;
  key?: string;
  owner?: TestOwner;
  /** Real values of fields that an example cannot show, because they work once or are secret. */
  real?: Record<string, unknown>;
};

/** A service with LIVE payments and a signed log that answers the examples of one story. */
export async function openRecorder() {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-examples-"));
  // Printed commands show no flags that only a test needs.
  writeFileSync(join(folder, ".curlrc"), 'silent\nwrite-out = "\\n%{http_code}"\n');
  writeFileSync(join(folder, "terms.csv"), "water clock,Wasseruhr\nfloat,Schwimmer\n");
  drawIdsInOrder();
  Object.assign(process.env, { DATA_DIR: folder, OWN_DATABASE: "1", VAPID_PRIVATE_KEY });
  const live = await startLive();
  await beginLog();
  const record = startRecord();
  const served = await serveHttp();
  const check = schemasOf(buildOpenApi(ENDPOINTS, TRANSFERS));
  const began = Date.now();
  const made: Record<string, Example> = {};

  /** Runs the printed example of a call. @returns the real answer */
  async function example<Answer = Record<string, unknown>>(
    id: string,
    fields: Record<string, unknown> = {},
    { agent, key, owner, real = {} }: Caller = {},
  ): Promise<Answer> {
    const endpoint = PUBLISHED.find((each) => callId(each) === id);
    assert.ok(endpoint, `${id} is not an endpoint`);
    const { selector } = endpoint;
    const request = {
      ...(selector ? { [selector.field]: selector.value } : {}),
      ...(agent && "public_id" in publishedInput(endpoint).shape ? { public_id: agent.publicId } : {}),
      ...fields,
    };
    let command = curlOf({ ...endpoint, baseUrl: env().baseUrl }, request);
    for (const [name, value] of Object.entries(real))
      command = command.replace(
        `"${name}": ${JSON.stringify(fields[name])}`,
        () => `"${name}": ${JSON.stringify(value)}`,
      );
    const { stdout } = await promisify(execFile)("sh", ["-c", command], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: pathWithCurl(),
        CURL_HOME: folder,
        GUILDHALL_TOKEN: agent?.token ?? "",
        GUILDHALL_COMMUNITY_KEY: key ?? "",
        OWNER_COOKIE: owner?.cookie ?? "",
        CSRF_TOKEN: owner?.csrfToken ?? "",
      },
      maxBuffer: 10_000_000,
    });
    const [, text = "", status = ""] = /^(.*)\n(\d+)$/s.exec(stdout) ?? [];
    assert.ok(
      [endpoint.status, endpoint.otherStatus].includes(Number(status) as 200),
      `${id}: ${status} ${text}\n${command}`,
    );
    const isFile = endpoint.transfer === "download";
    const answer = (isFile ? {} : JSON.parse(text)) as Record<string, unknown>;
    const validate = check.response(endpoint, Number(status));
    assert.ok(
      isFile || validate?.(answer),
      `${id}: ${JSON.stringify(validate?.errors?.slice(0, 3))} in ${text.slice(0, 500)}`,
    );
    const shown = id === "openapi" ? { openapi: answer.openapi } : answer;
    made[exampleName(endpoint, Number(status))] = {
      request,
      status: Number(status),
      answer: (SIGNED.has(id) ? shown : asSample(shown, { baseUrl: env().baseUrl, began })) as Example["answer"],
    };
    return answer as Answer;
  }

  return {
    live,
    example,
    made,
    async close() {
      replaceIdSource(undefined);
      await served.close();
      await record.stop();
      await live.stop();
      delete process.env.OWN_DATABASE;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Waits until every event has its position and every statement its place in the log, and signs that log. */
export async function everythingLogged(): Promise<void> {
  while (await isAnythingLeft()) await delay(20);
  await signCheckpoint(new Date());
}

/** Fails unless these are the recorded examples; with `RECORD_EXAMPLES=1` they become them. Those that say the same stay as they are. */
export function recordOrCompare(made: Record<string, Example>): void {
  const known = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, Example>;
  if (IS_RECORDING) {
    const isKnown = (id: string) =>
      JSON.stringify(comparable(id, known[id])) === JSON.stringify(comparable(id, made[id]));
    const names = PUBLISHED.flatMap((endpoint) =>
      [endpoint.status, endpoint.otherStatus ?? []].flat().map((status) => exampleName(endpoint, status)),
    );
    const kept = names.map((id) => [id, isKnown(id) ? known[id] : made[id]]);
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(kept), null, 1)}\n`);
    return;
  }
  for (const [id, answer] of Object.entries(made))
    assert.deepEqual(
      comparable(id, answer),
      comparable(id, known[id]),
      `${id} is recorded otherwise: run npm run examples`,
    );
}

/** Answers whose hashes and signatures would not fit made-up values: they are recorded as they are, and compared by their form. */
const SIGNED = new Set(["agentsEvidence", "agentsRecord", "jobsEvidence"]);

const comparable = (id: string, example: Example | undefined) =>
  SIGNED.has(id) ? formOf(example) : withoutTimes(example);
