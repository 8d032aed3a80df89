import { accessOfActor } from "#lib/kernel/actor.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { EventStream, StreamSink } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, invalidInput } from "#lib/kernel/errors.ts";
import { log } from "#lib/kernel/log.ts";
import { type Follower, follow } from "./follow.ts";
import { Places } from "./places.ts";
import { type FeedContext, type FeedInput, requireReader } from "./poll.ts";
import { type EventPage, type PlacedEvent, readEvents, recipientsOf } from "./read.ts";
import type { EventWire } from "./schema.ts";
import { requireStillAdmitted } from "./still-admitted.ts";
import { isTailOpen } from "./tail.ts";

/** Bounds of streams in one process; EVENT_STREAMS_MAX bounds them in all. They hold without rate limits too. */
const PER_CREDENTIAL = 2;
const LIFE_MS = 600_000;
// Looked at every second, so that 15 seconds never pass without a comment.
const COMMENT_MS = 14_000;
const RETRY_MS = 2_000;
/** Bytes that a client may leave unread before its stream waits for it. */
const MOST_UNREAD = 64 * 1024;
/** How many earlier events are read at once. */
const PAGE = 100;
/** How long a stream waits for a process that has only just started. */
const OPENING_MS = 5_000;
const COME_BACK_SECONDS = 10;

/** The streams, and what gives the place of each back. */
const open = new Map<Reader, () => void>();

/** For the metrics. */
export const openStreams = () => open.size;

const places = new Places();
let sweeper: NodeJS.Timeout | undefined;

/**
 * Opens a stream of the caller's events after a position.
 * @param lastEventId the `Last-Event-ID` header, which wins over `after`
 * @throws ApiError cursor_expired, profile_cannot_participate, identity_suspended, invalid_input, rate_limited,
 *   temporarily_unavailable
 */
export async function streamEvents(
  ctx: FeedContext,
  input: FeedInput,
  lastEventId: string | undefined,
): Promise<EventStream> {
  requireReader(ctx, input);
  const after = lastEventId ? positionIn(lastEventId) : input.after;
  const reader = new Reader(ctx.actor, input.types);
  takePlace(reader);
  try {
    if (!(await isTailOpen(OPENING_MS))) throw unavailable("The service has only just started.");
    reader.follow();
    const page = await readEvents(reader.recipients, { after, types: input.types, limit: PAGE });
    // A suspension just before the stream followed events would not end it.
    await requireStillAdmitted(ctx);
    return (sink) => reader.begin(sink, after ?? page.nextAfter, page);
  } catch (error) {
    reader.close();
    throw error;
  }
}

function positionIn(lastEventId: string): number {
  const position = /^\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  if (!Number.isSafeInteger(position)) throw invalidInput("Last-Event-ID", "must be the id of an event of this feed");
  return position;
}

function unavailable(message: string): ApiError {
  const details = { retryAfterSeconds: COME_BACK_SECONDS };
  return new ApiError("temporarily_unavailable", `${message} Try again, or poll without a stream.`, details);
}

/** @throws ApiError rate_limited, temporarily_unavailable */
function takePlace(reader: Reader): void {
  if (open.size >= env().eventStreamsMax) throw unavailable("This process has as many streams as it takes.");
  if (places.of(reader.credential) >= PER_CREDENTIAL)
    throw new ApiError("rate_limited", `A credential may have ${PER_CREDENTIAL} streams at once. Close one first.`, {
      retryAfterSeconds: COME_BACK_SECONDS,
    });
  open.set(reader, places.take(reader.credential));
  sweeper ??= setInterval(sweep, 1_000).unref();
}

function leavePlace(reader: Reader): void {
  open.get(reader)?.();
  open.delete(reader);
  if (open.size > 0) return;
  clearInterval(sweeper);
  sweeper = undefined;
}

/** Shows that idle streams are alive, and ends those that have lived long enough. */
function sweep(): void {
  const now = performance.now();
  for (const reader of open.keys()) reader.tick(now);
}

/** One stream: it catches up by reading, then passes on what this process hears anyway, without a query of its own. */
class Reader implements Follower {
  readonly kind: Follower["kind"];
  readonly id: string;
  readonly access: Follower["access"];
  readonly recipients: readonly string[];
  readonly types: readonly string[] | undefined;
  readonly #since = performance.now();
  #wrote = this.#since;
  #sink: StreamSink | undefined;
  #leave: (() => void) | undefined;
  /** Every event up to here has been written, or is not for this reader. */
  #sent = 0;
  /** New events are written as they come; until then they are read. */
  #isLive = false;
  #missed = false;
  #isOver = false;
  #hasEnded = false;

  constructor(actor: FeedContext["actor"], types: readonly string[] | undefined) {
    const { kind, id } = actor;
    this.access = accessOfActor(actor);
    this.kind = kind;
    this.id = id;
    this.recipients = recipientsOf({ kind, id });
    this.types = types;
  }

  get credential(): string {
    return `${this.kind}:${this.id}`;
  }

  follow(): void {
    this.#leave = follow(this);
  }

  begin(sink: StreamSink, from: number, page: EventPage): void {
    this.#sink = sink;
    this.#sent = from;
    sink.onClose(() => this.close());
    // The ID lets a client whose connection breaks before the first event come back to the same place.
    this.#write(`retry: ${RETRY_MS}\nid: ${from}\n\n`);
    if (this.#isOver) this.end();
    else void this.#catchUp(page);
  }

  deliver({ position, event }: PlacedEvent): void {
    if (this.#hasExpired()) this.end();
    else if (!this.#isLive) this.#missed = true;
    else if (position > this.#sent) {
      this.#writeEvent(event);
      if (this.#isBehind()) void this.#catchUp();
    }
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#isOver = true;
    this.#hasEnded = this.#sink !== undefined;
    this.#sink?.end();
  }

  close(): void {
    this.#isOver = true;
    this.#leave?.();
    leavePlace(this);
  }

  tick(now: number): void {
    if (now - this.#since >= LIFE_MS || this.#hasExpired()) this.end();
    else if (now - this.#wrote >= COMMENT_MS && !this.#isBehind()) this.#write(": still here\n\n");
  }

  #hasExpired(): boolean {
    return this.access !== undefined && this.access.expiresAt <= systemClock.now();
  }

  /** Writes earlier events, waiting for the client where it is slow, until there are none that it has not seen. */
  async #catchUp(first?: EventPage): Promise<void> {
    this.#isLive = false;
    try {
      for (let page = first; !this.#isOver; page = undefined) {
        if (this.#isBehind()) await this.#sink?.drained();
        if (this.#isOver) return;
        if (!page) {
          // An event that arrived since the first page was read is not in that page, so only a reading of its own forgets it.
          this.#missed = false;
          page = await readEvents(this.recipients, { after: this.#sent, types: this.types, limit: PAGE });
        }
        for (const event of page.events) this.#writeEvent(event);
        this.#sent = Math.max(this.#sent, page.nextAfter);
        if (!page.hasMore && !this.#missed && !this.#isBehind()) {
          this.#isLive = true;
          return;
        }
      }
    } catch (error) {
      // The client comes back with the last ID that it has seen.
      log().warn({ err: (error as Error).message }, "a stream of events could not go on");
      this.end();
    }
  }

  #isBehind(): boolean {
    return (this.#sink?.unread ?? 0) > MOST_UNREAD;
  }

  #writeEvent(event: EventWire): void {
    this.#sent = event.position;
    this.#write(`id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  #write(text: string): void {
    if (this.#isOver) return;
    this.#wrote = performance.now();
    this.#sink?.write(text);
  }
}
