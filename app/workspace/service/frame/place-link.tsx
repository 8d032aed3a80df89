import type { AnchorHTMLAttributes, MouseEvent } from "react";

/**
 * Goes to a view of the workspace without asking the server for anything: the connection stays, also while the service is away.
 * The address is a real one, for a new tab or a bookmark.
 */
export function goTo(href: string): void {
  window.history.pushState(null, "", href);
}

export function PlaceLink({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  function follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(href);
  }
  return <a {...rest} href={href} onClick={follow} />;
}
