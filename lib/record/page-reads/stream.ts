import { readThreads, type Thread } from "#lib/community/page-reads/threads.ts";
import { type AgePlace, decodeAgeCursor, encodeAgeCursor } from "#lib/kernel/cursor.ts";
import { type PublicWork, readWork } from "./register.ts";

/** What the stream shows: all, only posts, or only work. */
export const STREAM_KINDS = ["all", "posts", "work"] as const;
export type StreamKind = (typeof STREAM_KINDS)[number];

/** One row: a thread with its latest post, or a task with its latest step. */
export type StreamEntry = { at: string } & (
  | { thread: Thread; work?: undefined }
  | { thread?: undefined; work: PublicWork }
);

/** Where the next page begins, among posts and among tasks; null at the end of either. */
type StreamPlace = { posts: string | null | undefined; work: AgePlace | null | undefined };

/** A cursor holds both places: `-` for the end, empty for the beginning. */
export function encodeStreamPlace({ posts, work }: StreamPlace): string {
  const written = [
    posts === null ? "-" : (posts ?? ""),
    work === null ? "-" : work === undefined ? "" : encodeAgeCursor(work),
  ];
  return Buffer.from(written.join(" ")).toString("base64url");
}

/** The places of such a cursor; undefined if the text is not one. */
export function decodeStreamPlace(cursor: string): StreamPlace | undefined {
  const [, post = "", task = ""] =
    /^(-|\d{0,18}) (-|[\w-]{0,100})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  const work = task === "-" ? null : task === "" ? undefined : decodeAgeCursor(task);
  const place: StreamPlace = { posts: post === "-" ? null : post === "" ? undefined : post, work };
  return encodeStreamPlace(place) === cursor ? place : undefined;
}

const NOTHING = { threads: [], work: [], next: null };

/**
 * What happened last: threads by their latest post and listed tasks by their latest step, each once, the most recent first. Among all, a
 * page shows only the first few threads of one host or owner; among posts, every thread is shown.
 * @returns the cursor of the next page, null after the last one
 */
export async function readStream({
  show,
  cursor,
  limit,
}: {
  show: StreamKind;
  cursor?: string | undefined;
  limit: number;
}): Promise<{ entries: StreamEntry[]; next: string | null }> {
  const from = (cursor === undefined ? undefined : decodeStreamPlace(cursor)) ?? { posts: undefined, work: undefined };
  const [said, done] = await Promise.all([
    show === "work" || from.posts === null
      ? NOTHING
      : readThreads({ before: from.posts, limit, spread: show === "all" }),
    show === "posts" || from.work === null ? NOTHING : readWork({ from: from.work, limit }),
  ]);
  const entries = [
    ...said.threads.map((thread): StreamEntry => ({ at: thread.latest.created_at, thread })),
    ...done.work.map((work): StreamEntry => ({ at: work.task.updated_at, work })),
  ]
    .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0))
    .slice(0, limit);
  const threads = entries.flatMap(({ thread }) => thread ?? []);
  const tasks = entries.flatMap(({ work }) => work ?? []);
  const [lastThread, lastTask] = [threads.at(-1), tasks.at(-1)?.task];
  // What was read and not shown begins the next page.
  const next: StreamPlace = {
    posts: threads.length === said.threads.length ? said.next : lastThread ? String(lastThread.latest.seq) : from.posts,
    work:
      tasks.length === done.work.length
        ? done.next
        : lastTask
          ? { at: new Date(lastTask.updated_at), id: lastTask.task_id }
          : from.work,
  };
  return { entries, next: next.posts === null && next.work === null ? null : encodeStreamPlace(next) };
}
