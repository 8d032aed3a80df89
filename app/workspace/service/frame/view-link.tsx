import { useRouter } from "next/navigation";
import type { AnchorHTMLAttributes } from "react";
import { onPlainClick } from "#components/link.tsx";
import { base } from "../connection/connection.ts";
import { placeOf, roomOf, VIEWS } from "./places.ts";

/** The path of a view behind the door that this tab came through. */
export function viewPath(view: (typeof VIEWS)[number]["view"]): string {
  return base() + VIEWS.find((each) => each.view === view)?.rest;
}

export const taskPath = (taskId: string): string => `${base()}/tasks/${taskId}`;

/**
 * Switches to a view without a request to the server, so that the tab stays connected. The path is a real one, for a new tab or a
 * bookmark.
 */
export function goTo(href: string): void {
  window.history.pushState(null, "", href);
}

/** A link to a view. From a page that is not a view, the router loads it. */
export function ViewLink({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const router = useRouter();
  return (
    <a {...rest} href={href} onClick={onPlainClick(() => (isBehindSameDoor(href) ? goTo(href) : router.push(href)))} />
  );
}

function isBehindSameDoor(href: string): boolean {
  const here = window.location.pathname;
  return placeOf(here) !== undefined && roomOf(here) === roomOf(href);
}
