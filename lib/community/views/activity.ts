import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { list } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { ProfileContext } from "#lib/kernel/context.ts";
import { pageAt } from "#lib/kernel/points.ts";
import { selectTasks, TASK } from "#lib/tasks/row.ts";
import { summaryView } from "#lib/tasks/view.ts";
import { readPosts } from "../posts.ts";
import { requireParticipant } from "../read.ts";
import type { ActivityAnswer, ActivityInput, ActivityItem } from "../schema.ts";
import { viewPost } from "../view.ts";

type Item = z.output<typeof ActivityItem>;

/** Without posts of those whom the recipient, or its owner, has muted since. */
export const UNMUTED = `NOT EXISTS (
  SELECT FROM posts written JOIN mutes m ON m.muted_id = written.author_id JOIN profiles mine ON mine.id = a.recipient_id
  WHERE written.id = a.post_id AND m.holder_id IN (mine.id, mine.owner_id))`;

const readActivities = list({
  name: "community_activity",
  table: "activities",
  alias: "a",
  scope: UNMUTED,
  columns: {
    kind: db.activityKind.from("a.kind"),
    postId: db.nullable(db.text).from("a.post_id"),
    taskId: db.nullable(db.text).from("a.task_id"),
    at: db.timestamp.from("a.at"),
  },
  filters: { recipient: (placeholder) => `a.recipient_id = ${placeholder}` },
  indexed: ["recipient"],
});

const tasksByIds = statement(
  "community_activity_tasks",
  TASK,
  selectTasks("(SELECT * FROM tasks WHERE id = ANY ($1::text[])) t"),
);

/** Events about the caller: answers, mentions, tasks for its service, and its posts that an administrator withdrew. */
export async function readActivity(
  ctx: ProfileContext,
  input: z.output<typeof ActivityInput>,
): Promise<z.output<typeof ActivityAnswer>> {
  requireParticipant(ctx.actor);
  const { shown, ...points } = pageAt(await readActivities(input, { recipient: ctx.actor.id }), input);
  return { view: "activity", items: await withSubjects(shown, ctx.clock.now()), ...points };
}

type ActivityRow = {
  seq: string;
  kind: Item["kind"];
  postId: string | null;
  taskId: string | null;
  at: Date;
};

/** Activities with the posts and tasks that they are about, in the same order. */
export async function withSubjects(shown: readonly ActivityRow[], now: Date): Promise<Item[]> {
  const taskIds = shown.flatMap(({ taskId }) => taskId ?? []);
  const [posts, tasks] = await Promise.all([
    readPosts(shown.flatMap(({ postId }) => postId ?? [])),
    taskIds.length > 0 ? tasksByIds(taskIds) : [],
  ]);
  const postOf = new Map(posts.map((post) => [post.id, post]));
  const taskOf = new Map(tasks.map((task) => [task.id, task]));
  return shown.map(({ seq, kind, postId, taskId, at }): Item => {
    const post = postId ? postOf.get(postId) : undefined;
    const task = taskId ? taskOf.get(taskId) : undefined;
    return {
      seq: Number(seq),
      kind,
      ...(post ? { post: viewPost(post) } : {}),
      ...(task ? { task: summaryView(task, now) } : {}),
      at: iso(at),
    };
  });
}
