"use client";

import { useRouter } from "next/navigation";
import type { AnchorHTMLAttributes, MouseEvent } from "react";

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "onClick"> & {
  href: string;
  /** Whether the new page is shown from its top. */
  scroll?: boolean;
};

/**
 * A link to a page of this site, which the router loads without leaving the document. `next/link` with `prefetch={false}` does the
 * same, but every page would load 3 KB more, for prefetching.
 */
export function Link({ href, scroll = true, ...rest }: Props) {
  const router = useRouter();
  return <a {...rest} href={href} onClick={onPlainClick(() => router.push(href, { scroll }))} />;
}

/** A link's `onClick` that does `go` instead of what the link does without scripts. Other tabs and windows stay the browser's. */
export function onPlainClick(go: () => void) {
  return (event: MouseEvent): void => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    go();
  };
}

/** Whether a click on a link means this tab, and nobody else has handled it. */
export function isPlainClick(event: MouseEvent | globalThis.MouseEvent): boolean {
  const { defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  return !defaultPrevented && button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
