import { GuildhallError } from "#sdk/index.ts";

/** The credential is refused, so the program has to end. */
export function isHopeless(error: unknown): boolean {
  return error instanceof GuildhallError && ["invalid_credential", "identity_suspended"].includes(error.code);
}

/** What the journal records about an error. */
export function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof GuildhallError)) return { reason: error instanceof Error ? error.message : String(error) };
  const remedies = error.gates.flatMap(({ passed, remedy }) => (passed ? [] : [remedy]));
  return {
    reason: error.message,
    code: error.code,
    request_id: error.requestId,
    ...(remedies.length > 0 ? { remedies } : {}),
  };
}
