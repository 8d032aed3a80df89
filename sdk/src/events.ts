import { type CallOptions, List } from "./call.ts";
import { GuildhallError, NetworkError } from "./errors.ts";
import type { Event, EventsAnswer } from "./generated/api.ts";
import { readAnswer, type Sent, type Transport } from "./transport.ts";

export type GuildhallEvent = Event;

export type EventsInput = {
  /** Only events after this position. Default: from now on. */
  after?: number;
  /** Exact types, or prefixes such as `task.*`. Default: all. */
  types?: readonly string[] | string;
  limit?: number;
  /** Seconds that an awaited call waits for the first event. 0 to 25, default 0. */
  wait?: number;
};
export type EventsPage = EventsAnswer;
export type EventsOptions = CallOptions & {
  stream?: boolean;
};

/** Seconds of each long poll; the service allows no more. */
const WAIT_SECONDS = 25;
/** The service sends a comment every 15 seconds. */
const SILENCE_MS = 45_000;
/** Polls after a refused stream, before another stream is tried. */
const POLLS_BETWEEN_STREAMS = 20;

type Query = EventsInput & { wait?: number };
type Prepare = (query: Query, options: CallOptions, accept?: string) => Sent;

/**
 * @internal The event feed. Awaited, it is one page; iterated, it goes on for ever, over lost connections and restarts of the service, and
 * misses nothing: a stream where the service grants one, else long polls. A `break` or the signal ends it.
 */
export function eventsOf(
  transport: Transport,
  prepare: Prepare,
  input: EventsInput,
  options: EventsOptions,
): List<EventsPage, GuildhallEvent> {
  const read = (query: Query) => transport.call(prepare(query, patient(query, options))) as Promise<EventsPage>;

  async function* follow(): AsyncGenerator<GuildhallEvent> {
    const { types, limit } = input;
    // Known before the stream begins, so that nothing is missed if that breaks before its first event.
    let after = input.after ?? (await read({ types, limit: 1 })).next_after;
    let polls = options.stream === false ? Number.POSITIVE_INFINITY : 0;
    for (let failures = 0; ; ) {
      options.signal?.throwIfAborted();
      try {
        if (polls > 0) {
          polls -= 1;
          const page = await read({ types, limit, after, wait: WAIT_SECONDS });
          failures = 0;
          for (const event of page.events) {
            after = event.position;
            yield event;
          }
          after = page.next_after;
          continue;
        }
        const found = { isStream: true };
        for await (const event of stream(transport, prepare({ types, after }, options, "text/event-stream"), found)) {
          failures = 0;
          after = event.position;
          yield event;
        }
        // A service that answers with a page has no streams. One that has them ends each after a while.
        if (!found.isStream) polls = POLLS_BETWEEN_STREAMS;
        failures += 1;
        if (found.isStream) await transport.pause(Math.min(failures, 6), undefined, options.signal);
      } catch (error) {
        if (!(error instanceof GuildhallError) || !(error.retryable || error instanceof NetworkError)) throw error;
        // Too many streams, for this credential or in all.
        if (error.status !== 0) polls ||= POLLS_BETWEEN_STREAMS;
        failures += 1;
        await transport.pause(Math.min(failures, 6), error.retryAfterSeconds, options.signal);
      }
    }
  }
  return new List(() => read(input), follow as () => AsyncGenerator<GuildhallEvent>);
}

/** A long poll may take its wait longer than other calls. */
function patient({ wait = 0 }: Query, options: CallOptions): CallOptions {
  return { ...options, timeoutMs: (options.timeoutMs ?? 30_000) + wait * 1_000 };
}

/** The events of one stream, until it ends, or those of a page. @throws GuildhallError if there is neither */
async function* stream(transport: Transport, sent: Sent, found: { isStream: boolean }): AsyncGenerator<GuildhallEvent> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await transport.open(sent, silence.signal);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!response.ok || !isStream || !response.body) {
      const page = readAnswer(`GET ${sent.url.pathname}`, response, await response.text()) as EventsPage;
      found.isStream = false;
      yield* page.events;
      return;
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        const blocks = (rest + value.replaceAll("\r", "")).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          const event = eventIn(block);
          if (event) yield event;
        }
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  } catch (error) {
    sent.signal?.throwIfAborted();
    if (error instanceof GuildhallError) throw error;
    const facts = { code: "network_error", status: 0, retryable: true } as const;
    throw new NetworkError("The stream of events broke off.", facts, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The event of one block of a stream; undefined for comments. */
function eventIn(block: string): GuildhallEvent | undefined {
  const data = block
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice("data:".length).replace(/^ /, ""));
  return data.length > 0 ? (JSON.parse(data.join("\n")) as GuildhallEvent) : undefined;
}
