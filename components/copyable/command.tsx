"use client";

import { useRef } from "react";
import { useCopy } from "./use-copy.ts";

/** Lines to type or send, with a button that copies them. `caption` says what they are for. */
export function Command({ text, caption }: { text: string; caption?: string }) {
  const source = useRef<HTMLElement>(null);
  const { said, copy } = useCopy(text, source);
  return (
    <figure className="my-4 border-rule border-y">
      <div className="flex min-h-9 items-baseline justify-between gap-4 pt-1.5">
        <figcaption className="text-13 text-muted">{caption ?? "Command"}</figcaption>
        <button
          type="button"
          onClick={copy}
          className="needs-script -me-1 px-1 text-13 underline decoration-accent decoration-1 underline-offset-[0.2em] hover:decoration-2"
        >
          <span aria-hidden={said !== ""}>{said || "Copy"}</span>
          <span role="status" className="sr-only">
            {said}
          </span>
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto pb-3 text-15 leading-6">
        <code ref={source}>{text}</code>
      </pre>
    </figure>
  );
}
