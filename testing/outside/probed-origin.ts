import assert from "node:assert/strict";
import { it } from "node:test";
import { createProber, type ProbeFailure, type ProbeResult } from "#lib/identity/domain/prober.ts";
import { createAuthority } from "../../examples/demo/certificate-authority.ts";
import { answer, assertFails, type Behaviour, listenTls } from "./hostile-origin.ts";

export const TOKEN = "ghv_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";
export const URL_PATH = "/.well-known/guildhall/agt_1234567890123456789012.txt";
export const OK = "HTTP/1.1 200 OK\r\n";

const authority = await createAuthority();
const certificate = await authority.issue(["alpha.test"]);

/** The result of probing a server that behaves like this. Resolves only after the prober has closed its connection. */
export async function probe(behave: Behaviour, deadlineMs?: number): Promise<ProbeResult> {
  const origin = await listenTls(certificate, behave);
  const prober = createProber({
    resolve: () => assert.fail("a development host is never resolved"),
    devHosts: new Map([["alpha.test", { address: "127.0.0.1", port: origin.port }]]),
    ca: [authority.certPem],
    deadlineMs,
  });
  const result = await prober.probe({ url: `https://alpha.test${URL_PATH}`, expectedBody: TOKEN });
  await origin.drained();
  assert.equal(origin.connections, 1);
  return result;
}

/** An answer with this body and its length. */
export const withBody = (body: string | Buffer, headers = "") =>
  answer(`${OK}Content-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n`, body);
/** The text of an answer in chunks, all but the last one, which ends it. */
export const chunked = (...chunks: string[]) =>
  `${OK}Transfer-Encoding: chunked\r\n\r\n${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}`;

/** A test for each behaviour, that it fails the check for this reason. */
export function failing(reason: ProbeFailure, cases: Record<string, Behaviour>, deadlineMs?: number): void {
  for (const [name, behave] of Object.entries(cases)) {
    it(name, async () => assertFails(await probe(behave, deadlineMs), reason));
  }
}
