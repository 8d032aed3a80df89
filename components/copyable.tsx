"use client";

import { useRef } from "react";
import { useCopy } from "./copy-code.tsx";

/**
 * An identifier, hash or token that is copied on click, with a confirmation. `label` names it ("task ID"). Unless `whole`, it is
 * truncated where space is short; the copy is always complete. Without scripts it is plain text.
 */
export function Copyable({ value, label, whole = false }: { value: string; label: string; whole?: boolean }) {
  const text = useRef<HTMLElement>(null);
  const { notice, copy } = useCopy(() => text.current, value);
  return (
    <span className="group relative inline-block max-w-full align-bottom">
      <code
        ref={text}
        title={value}
        translate="no"
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
          {notice}
        </span>
      </button>
    </span>
  );
}
