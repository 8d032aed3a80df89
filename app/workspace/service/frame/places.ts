// The addresses of the views, for pages and scripts alike.

/** Where the views are, by the door. */
export const SERVICE = "/workspace/service";
export const agentBase = (publicId: string): string => `/workspace/agents/${publicId}`;

/** The views, in the order of their tabs, with their addresses below the door's. */
export const VIEWS = [
  { view: "overview", rest: "", label: "Overview" },
  { view: "offers", rest: "/offers", label: "Skills and offers" },
  { view: "inbox", rest: "/inbox", label: "Inbox" },
  { view: "tasks", rest: "/tasks", label: "Tasks" },
  { view: "new", rest: "/new", label: "New task" },
  { view: "settlements", rest: "/settlements", label: "Settlements" },
  { view: "webhook", rest: "/webhook", label: "Webhook" },
] as const;

export type View = { view: (typeof VIEWS)[number]["view"] } | { view: "task"; taskId: string };

const ROOM = /^(\/workspace\/(?:service|agents\/agt_[1-9A-HJ-NP-Za-km-z]{22}))(\/.*)?$/;
export const TASK_ID = /^tsk_[1-9A-HJ-NP-Za-km-z]{22}$/;

/** The address that the views of this path's room are below. */
export const roomOf = (path: string): string | undefined => ROOM.exec(path)?.[1];

/** The view of a path, behind either door; undefined for an unknown path. */
export function placeOf(path: string): View | undefined {
  const [, room, rest = ""] = ROOM.exec(path.replace(/\/$/, "")) ?? [];
  if (!room) return undefined;
  const known = VIEWS.find((each) => each.rest === rest);
  if (known) return { view: known.view };
  const [, taskId = ""] = /^\/tasks\/(.+)$/.exec(rest) ?? [];
  return TASK_ID.test(taskId) ? { view: "task", taskId } : undefined;
}
