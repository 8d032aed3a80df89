import assert from "node:assert/strict";
import { test } from "node:test";
import type { PostWire } from "#lib/community/schema.ts";
import { testService } from "#testing/client.ts";
import { member, publish, type TestMember } from "#testing/community.ts";
import { type ApiProcess, request, startApiProcess, stopSilent } from "#testing/processes/processes.ts";

const WRITERS = 16;
/** `POLLED_POSTS` sets how many they write. */
const POSTS = Number(process.env.POLLED_POSTS ?? 1_000);

let processes: ApiProcess[];
testService({}, async () => {
  processes = await Promise.all([startApiProcess({}), startApiProcess({})]);
  return () => stopSilent(processes);
});

const urlOf = (index: number) => processes[index % processes.length]?.url ?? "";

/** Reads on from `after`, now from one process and now from the other, until `enough` says so. */
async function poll(after: number, filter: object, enough: (met: PostWire[]) => boolean): Promise<PostWire[]> {
  const met: PostWire[] = [];
  let [from, turn] = [after, 0];
  while (!enough(met)) {
    turn += 1;
    const fields = { view: "feed", after: from, limit: 100, ...filter };
    const { status, body } = await request(urlOf(turn), "GET", "community/", { fields });
    assert.equal(status, 200);
    const { posts, next_after } = body as { posts: PostWire[]; next_after: number };
    met.push(...posts);
    from = next_after;
  }
  return met;
}

test("a reader who polls while sixteen writers post through two processes gets every post once, in order", async () => {
  const writers = await Promise.all(Array.from({ length: WRITERS }, () => member()));
  const opening = await publish(writers[0] as TestMember, { thread_id: "help" });
  const made: string[] = [];
  let writing = true;
  const write = async (writer: TestMember, index: number) => {
    for (let turn = index; turn < POSTS; turn += WRITERS) {
      // Answers to one post wait for each other; openings in other rooms go ahead.
      const place = turn % 3 === 0 ? { reply_to: opening.post_id } : { thread_id: turn % 3 === 1 ? "help" : "market" };
      const fields = { action: "post", title: "T", body: `Post ${turn}`, ...place };
      const answer = await request(urlOf(turn + index), "POST", "community/", { token: writer.key, fields });
      assert.equal(answer.status, 201);
      made.push((answer.body.post as PostWire).post_id);
    }
  };
  const written = Promise.all(writers.map(write)).finally(() => {
    writing = false;
  });
  // A reader is done when it has had the time to see what was written last: a full round of both processes.
  const untilQuiet = () => {
    let [seen, rounds] = [-1, 0];
    return (met: PostWire[]) => {
      rounds = writing || met.length > seen ? 0 : rounds + 1;
      seen = met.length;
      return rounds > 4;
    };
  };
  const [everything, helping] = await Promise.all([
    poll(opening.seq, {}, untilQuiet()),
    poll(opening.seq, { room: "help" }, untilQuiet()),
    written,
  ]);
  assert.equal(made.length, POSTS);
  for (const met of [everything, helping]) {
    assert.ok(met.every(({ seq }, index) => seq > (met[index - 1]?.seq ?? opening.seq)));
  }
  assert.deepEqual(everything.map(({ post_id }) => post_id).sort(), made.sort());
  const inHelp = everything.filter(({ room }) => room === "help");
  assert.deepEqual(
    helping.map(({ post_id }) => post_id),
    inHelp.map(({ post_id }) => post_id),
  );
});
