import { get, type IncomingMessage } from "node:http";
import type { EventWire } from "#lib/record/schema.ts";

export type TestStream = {
  status: number;
  headers: IncomingMessage["headers"];
  /** Everything that was received. */
  text(): string;
  /** The events that were received. */
  events: EventWire[];
  /** The last `id` that was received. */
  lastId(): string | undefined;
  /** Settled when the server ends the stream, or the connection breaks. */
  ended: Promise<void>;
  pause(): void;
  resume(): void;
  close(): void;
};

/** Opens a stream of events; an error answer is one without events. */
export function openStream(
  url: string,
  { token, query = {}, lastEventId }: { token: string; query?: Record<string, string | number>; lastEventId?: string },
): Promise<TestStream> {
  const target = new URL("/api/v1/events.php", url);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
  const headers = {
    Accept: "text/event-stream",
    Authorization: `Bearer ${token}`,
    ...(lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId }),
  };
  return new Promise((opened, failed) => {
    const request = get(target, { headers, agent: false }, (response) => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const parts: string[] = [];
      const events: EventWire[] = [];
      let rest = "";
      let last: string | undefined;
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        parts.push(chunk);
        const blocks = (rest + chunk).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          last = /^id: (.*)$/m.exec(block)?.[1] ?? last;
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (data) events.push(JSON.parse(data) as EventWire);
        }
      });
      response.on("error", () => end());
      response.on("close", () => end());
      opened({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => parts.join(""),
        events,
        lastId: () => last,
        ended,
        pause: () => response.pause(),
        resume: () => response.resume(),
        close: () => request.destroy(),
      });
    });
    request.on("error", failed);
  });
}
