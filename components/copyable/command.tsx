"use client";

import { useRef } from "react";
import { useCopy } from "./use-copy.ts";

/**
 * Lines to type or send, with a button that copies them. `caption` says what they are for. Long lines scroll, or with `wrap`
 * go on beneath, where the column is narrow.
 */
export function Command({ text, caption, wrap = false }: { text: string; caption?: string; wrap?: boolean }) {
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
      <pre
        tabIndex={wrap ? undefined : 0}
        className={`pb-3 text-15 leading-6 ${wrap ? "whitespace-pre-wrap break-all" : "overflow-x-auto"}`}
      >
        <code ref={source}>{text}</code>
      </pre>
    </figure>
  );
}
