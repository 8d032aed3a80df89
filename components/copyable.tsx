"use client";

import { Fragment, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";

/**
 * An identifier, hash or token that is copied on click, with a confirmation. `label` names it ("task ID"). Unless `whole`, it is
 * truncated where space is short; the copy is always complete. Without scripts it is plain text.
 */
export function Copyable({ value, label, whole = false }: { value: string; label: string; whole?: boolean }) {
  const text = useRef<HTMLElement>(null);
  const { notice, copy } = useCopy(value, text);
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
          {notice}
        </span>
      </button>
    </span>
  );
}

/** Lines to type or send, with a button that copies them. `caption` says what they do. Long lines scroll, or break with `wrap`. */
export function Command({ text, caption, wrap = false }: { text: string; caption?: string; wrap?: boolean }) {
  const source = useRef<HTMLElement>(null);
  const { notice, copy } = useCopy(text, source);
  return (
    <figure className="my-4 border-rule border-y">
      <div className="flex min-h-9 items-baseline justify-between gap-4 pt-1.5">
        <figcaption className="text-13 text-muted">{caption ?? "Command"}</figcaption>
        <button
          type="button"
          onClick={copy}
          className="needs-script -me-1 px-1 text-13 underline decoration-accent decoration-1 underline-offset-[0.2em] hover:decoration-2"
        >
          <span aria-hidden={notice !== ""}>{notice || "Copy"}</span>
          <span role="status" className="sr-only">
            {notice}
          </span>
        </button>
      </div>
      <pre
        tabIndex={wrap ? undefined : 0}
        className={`pb-3 text-15 leading-6 ${wrap ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "overflow-x-auto"}`}
      >
        <code ref={source}>{wrap ? withBreaks(text) : text}</code>
      </pre>
    </figure>
  );
}

/** The same text, which may also break within addresses, after their slashes and the names of parameters. */
function withBreaks(text: string): ReactNode[] {
  return text.split(/(?<=[/?&])(?![/\s])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that never change their places
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));
}

const NOTICE_MS = 2000;

/**
 * Copies `value` and gives a notice about it for two seconds. If the browser refuses (plain HTTP, a denied permission), the text in
 * `source` is selected instead, ready to be copied by keyboard.
 */
export function useCopy(value: string, source: RefObject<HTMLElement | null>): { notice: string; copy: () => void } {
  const [notice, setNotice] = useState("");

  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(""), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setNotice("Copied");
    } catch {
      if (source.current) window.getSelection()?.selectAllChildren(source.current);
      setNotice("Selected: press Ctrl+C");
    }
  }
  return { notice, copy };
}
