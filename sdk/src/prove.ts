import type { Operations } from "./generated/api.ts";
import type { Transport } from "./transport.ts";
import type { Report } from "./verify/report.ts";
import { verifyEvidence } from "./verify/verify.ts";

export type ProveOptions = {
  /** The log's verifier key, if you have kept it. Default: the one that the service publishes at /log/key now. */
  key?: string;
  signal?: AbortSignal | undefined;
};

/** The evidence of a task, and what its verification found. */
export type Proof = { bundle: object; report: Report };

const LOOKS = 60;
const BETWEEN_SECONDS = 0.3;
const KEY_TIMEOUT_MS = 30_000;

/**
 * @internal Verifies the evidence of a task, once the log has signed all of it. That takes a few seconds after the last step; after half a
 * minute, or if the service signs no log, the evidence is verified as it is.
 */
export async function proveTask(
  transport: Transport,
  calls: Operations,
  keyUrl: URL,
  taskId: string,
  { key, signal }: ProveOptions = {},
): Promise<Proof> {
  const trusted = key ?? (await publishedKey(transport, keyUrl, signal));
  for (let look = 1; ; look += 1) {
    const bundle = await calls.jobs.evidence({ task_id: taskId }, { signal });
    if (trusted === undefined || look >= LOOKS || bundle.proofs.every((proof) => proof !== null))
      return { bundle, report: await verifyEvidence(bundle, { key: trusted }) };
    await transport.pause(1, BETWEEN_SECONDS, signal);
  }
}

async function publishedKey(
  transport: Transport,
  url: URL,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const sent = { method: "GET", url, headers: {}, repeatable: true, signal } as const;
  const response = await transport.open(sent, AbortSignal.timeout(KEY_TIMEOUT_MS));
  const text = await response.text();
  return response.ok ? text.trim() : undefined;
}
