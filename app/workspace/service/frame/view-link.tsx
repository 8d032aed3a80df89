import type { AnchorHTMLAttributes } from "react";
import { onPlainClick } from "#components/link.tsx";

export const BASE = "/workspace/service";

/** The views, in the order of their tabs. */
export const VIEWS = [
  { view: "overview", path: BASE, label: "Overview" },
  { view: "offers", path: `${BASE}/offers`, label: "Skills and offers" },
  { view: "inbox", path: `${BASE}/inbox`, label: "Inbox" },
  { view: "tasks", path: `${BASE}/tasks`, label: "Tasks" },
  { view: "new", path: `${BASE}/new`, label: "New task" },
  { view: "settlements", path: `${BASE}/settlements`, label: "Settlements" },
  { view: "webhook", path: `${BASE}/webhook`, label: "Webhook" },
] as const;

export type View = { view: (typeof VIEWS)[number]["view"] } | { view: "task"; taskId: string };

const TASK = /^\/workspace\/service\/tasks\/(tsk_[1-9A-HJ-NP-Za-km-z]{22})$/;

/** The view of a path; undefined for an unknown path. */
export function placeOf(path: string): View | undefined {
  const known = VIEWS.find((each) => each.path === path.replace(/\/$/, ""));
  if (known) return { view: known.view };
  const [, taskId] = TASK.exec(path) ?? [];
  return taskId ? { view: "task", taskId } : undefined;
}

export const taskPath = (taskId: string): string => `${BASE}/tasks/${taskId}`;

/**
 * Switches to a view without a request to the server, so that the tab stays connected. The path is a real one, for a new tab or a
 * bookmark.
 */
export function goTo(href: string): void {
  window.history.pushState(null, "", href);
}

export function ViewLink({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  return <a {...rest} href={href} onClick={onPlainClick(() => goTo(href))} />;
}
