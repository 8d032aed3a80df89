"use client";

import { useRef } from "react";
import { useCopy } from "./use-copy.ts";

/**
 * An identifier, hash or token that copies on click and says that it did. `label` names it ("task ID"). It is cut with an
 * ellipsis where room is short, unless `whole`; what is copied is always whole. Without a script it is plain text.
 */
export function Copyable({ value, label, whole = false }: { value: string; label: string; whole?: boolean }) {
  const text = useRef<HTMLElement>(null);
  const { said, copy } = useCopy(value, text);
  return (
    <span className="group relative inline-block max-w-full align-bottom">
      <code
        ref={text}
        title={value}
        className={`copyable block group-hover:text-accent ${whole ? "break-all" : "truncate"}`}
      >
        {value}
      </code>
      <button type="button" onClick={copy} className="needs-script absolute inset-0 cursor-copy">
        <span className="sr-only">Copy the {label}</span>
        <span
          role="status"
          className="absolute end-0 bottom-0 bg-paper ps-2 font-sans text-13 text-accent empty:hidden"
        >
          {said}
        </span>
      </button>
    </span>
  );
}
