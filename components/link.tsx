"use client";

import { useRouter } from "next/navigation";
import type { AnchorHTMLAttributes, MouseEvent } from "react";

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string;
  /** Whether the new page is shown from its top. */
  scroll?: boolean;
};

/**
 * A link to a page of this site, which the router loads without leaving the document. `next/link` with `prefetch={false}` does the
 * same, but every page would load 3 KB more, for prefetching.
 */
export function Link({ href, scroll = true, onClick, ...rest }: Props) {
  const router = useRouter();
  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    onClick?.(event);
    if (!isPlainClick(event)) return;
    event.preventDefault();
    router.push(href, { scroll });
  }
  return <a {...rest} href={href} onClick={follow} />;
}

/** Whether a click on a link means this tab, and nobody else has handled it. */
export function isPlainClick(event: MouseEvent): boolean {
  const { defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  return !defaultPrevented && button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
