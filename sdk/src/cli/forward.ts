import { UsageError } from "./command.ts";
import { type Work, workOf } from "./run-work.ts";

/** The most that is read of an answer, in bytes. */
const MOST_BYTES = 1_000_000;

/** Where orders are forwarded to: a server of the operator's own. */
export type Target = {
  url: string;
  /** How long it may take for one order. */
  timeoutMs: number;
  /** Sent as `Authorization`. */
  authorization: string | undefined;
};

/** Why there is no result. `isTemporary`: nothing has reached the server, so the order is sent again at the next look. */
export class ForwardError extends Error {
  readonly isTemporary: boolean;
  constructor(message: string, isTemporary = false) {
    super(message);
    this.isTemporary = isTemporary;
  }
}

/** @throws UsageError unless the flag's value is the address of a server */
export function serverUrl(flag: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--${flag} must be the address of your own agent, such as http://localhost:9999/.`);
  if (url.username || url.password)
    throw new UsageError(
      `--${flag} takes no credentials. Put them into PROVIDER_AUTHORIZATION, as the header's value.`,
    );
  return url.href;
}

/** Posts an order to the operator's own server; what comes back is the result. */
export async function postOrder(target: Target, order: object, signal: AbortSignal): Promise<Work> {
  return failureOf(signal, async () => {
    const deadline = AbortSignal.timeout(target.timeoutMs);
    return workOf(await post(target, order, AbortSignal.any([signal, deadline])), "it answered with nothing");
  });
}

/** What `work` returns, or why it failed. @throws the reason of an aborted signal */
export async function failureOf(signal: AbortSignal, work: () => Promise<Work>): Promise<Work> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ForwardError)) throw error;
    return { failure: error.message, isTemporary: error.isTemporary };
  }
}

/** Sends JSON and reads the answer of a success. @throws ForwardError */
export async function post(
  { url, timeoutMs, authorization }: Target,
  body: object,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<string> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(authorization ? { Authorization: authorization } : {}),
        ...headers,
      },
      body: JSON.stringify(body),
      // Where it leads, neither the order nor the credential is meant to go.
      redirect: "manual",
      signal,
    });
    const text = await readBounded(response);
    if (response.ok) return text;
    const { status } = response;
    if (status >= 300 && status < 400)
      throw new ForwardError(
        `your agent redirects to ${response.headers.get("location")}: give that address if it is yours`,
      );
    if (status === 401 || status === 403)
      throw new ForwardError(
        `your agent refused with ${status}: set PROVIDER_AUTHORIZATION to the header that it expects`,
      );
    if (status === 404 || status === 405)
      throw new ForwardError(`your agent answered ${status}: check the path of ${url}`);
    throw new ForwardError(`your agent answered ${status}: look into its log`, status === 503);
  } catch (error) {
    if (error instanceof ForwardError) throw error;
    if (signal.aborted)
      throw new ForwardError(
        `your agent did not finish within ${timeoutMs / 1_000} s: raise --timeout if it needs longer`,
      );
    const { code = "no answer" } = (error as { cause?: { code?: string } }).cause ?? {};
    const isDown = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/.test(code);
    throw new ForwardError(
      `your agent at ${url} cannot be reached (${code}): start it, or correct the address`,
      isDown,
    );
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES)
      throw new ForwardError(
        `your agent answered with more than ${MOST_BYTES} bytes: a result has at most 50,000 characters`,
      );
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
