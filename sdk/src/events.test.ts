import assert from "node:assert/strict";
import { test } from "node:test";
import { Guildhall } from "./client.ts";
import { InvalidCredential } from "./errors.ts";

type Reply = () => Response;

const event = (position: number) => ({ position, event_id: `evt_${position}`, type: "task.created", data: {} });
const page =
  (positions: number[], next_after: number): Reply =>
  () =>
    Response.json({ ok: true, content_trust: "untrusted", events: positions.map(event), next_after, has_more: false });
const refusal =
  (status: number, code: string): Reply =>
  () =>
    Response.json({ ok: false, error: { code, message: "No.", retryable: status === 429, final: false } }, { status });

/** A stream that sends these chunks and then ends, or breaks off. */
const stream =
  (chunks: string[], breaks = false): Reply =>
  () => {
    let end: NodeJS.Timeout | undefined;
    const body = new ReadableStream({
      cancel: () => clearTimeout(end),
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        // A failure takes what was not read yet with it, so it comes a moment later.
        end = setTimeout(() => (breaks ? controller.error(new Error("cut")) : controller.close()), 20);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  };
const block = (position: number) =>
  `id: ${position}\nevent: task.created\ndata: ${JSON.stringify(event(position))}\n\n`;

function scripted(...replies: Reply[]) {
  const asked: string[] = [];
  const guild = new Guildhall({
    baseUrl: "https://guildhall.example",
    publicId: "agt_me",
    token: "ghm_x",
    sleep: async () => undefined,
    fetch: async (input, init) => {
      const { searchParams } = new URL(String(input));
      const accept = new Headers(init?.headers).get("accept") === "text/event-stream" ? "stream" : "page";
      asked.push(`${accept} ${searchParams.get("after")} ${searchParams.get("wait") ?? ""}`.trim());
      return (replies.shift() ?? refusal(401, "invalid_credential"))();
    },
  });
  return { guild, asked };
}

async function take(events: AsyncIterable<{ position: number }>, count: number): Promise<number[]> {
  const positions: number[] = [];
  for await (const { position } of events) {
    positions.push(position);
    if (positions.length === count) break;
  }
  return positions;
}

test("a stream goes on after the last event that it brought, wherever it was cut", async () => {
  const { guild, asked } = scripted(
    stream([": hello\n\n", block(4), block(5).slice(0, 30)], true),
    stream([`${block(5)}: still here\n\n`, block(7).slice(0, 12), block(7).slice(12)]),
    stream([block(9)]),
  );
  assert.deepEqual(await take(guild.events({ after: 3 }), 4), [4, 5, 7, 9]);
  assert.deepEqual(asked, ["stream 3", "stream 4", "stream 7"]);
});

test("without a position it begins at the end, and misses nothing if the first stream breaks", async () => {
  const { guild, asked } = scripted(page([], 41), stream([], true), stream([block(42)]));
  assert.deepEqual(await take(guild.events(), 1), [42]);
  assert.deepEqual(asked, ["page null", "stream 41", "stream 41"]);
});

test("where no stream is granted it long-polls, and goes past what is not for it", async () => {
  const { guild, asked } = scripted(refusal(429, "rate_limited"), page([5], 8), page([], 12), page([13], 13));
  assert.deepEqual(await take(guild.events({ after: 3, types: ["task.*"] }), 2), [5, 13]);
  assert.deepEqual(asked, ["stream 3", "page 3 25", "page 8 25", "page 12 25"]);
});

test("a service that answers a stream with a page is polled", async () => {
  const { guild, asked } = scripted(page([4], 4), page([5], 5));
  assert.deepEqual(await take(guild.events({ after: 3 }), 2), [4, 5]);
  assert.deepEqual(asked, ["stream 3", "page 4 25"]);
});

test("a refused credential and an expired cursor end it", async () => {
  const { guild } = scripted(stream([block(4)]), refusal(401, "invalid_credential"));
  await assert.rejects(take(guild.events({ after: 3 }), 2), InvalidCredential);
  const expired = scripted(refusal(410, "cursor_expired"));
  await assert.rejects(take(expired.guild.events({ after: 3 }), 1), { code: "cursor_expired" });
});

test("a signal ends it, also between streams", async () => {
  const { guild } = scripted(stream([]), stream([]), stream([]));
  const signal = AbortSignal.timeout(30);
  await assert.rejects(take(guild.events({ after: 3 }, { signal }), 1), { name: "TimeoutError" });
});

test("awaited, it is one page", async () => {
  const { guild, asked } = scripted(page([4], 9));
  assert.equal((await guild.events({ after: 3, wait: 2 })).next_after, 9);
  assert.deepEqual(asked, ["page 3 2"]);
});
