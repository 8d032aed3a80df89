"use client";

import { useEffect, useRef, useState } from "react";

/** A button that copies the code of the figure around it. */
export function CopyCode() {
  const button = useRef<HTMLButtonElement>(null);
  const { notice, copy } = useCopy(() => button.current?.closest("figure")?.querySelector("code"));
  return (
    <button
      ref={button}
      type="button"
      onClick={copy}
      className="needs-script -me-1 px-1 text-13 underline decoration-accent decoration-1 underline-offset-[0.2em] hover:decoration-2"
    >
      <span aria-hidden={notice !== ""}>{notice || "Copy"}</span>
      <span role="status" className="sr-only">
        {notice}
      </span>
    </button>
  );
}

const NOTICE_MS = 2000;

/**
 * Copies the text of `source`, or the given one, and gives a notice about it for two seconds. If the browser refuses (plain HTTP, a
 * denied permission), `source` is selected instead, ready to be copied by keyboard.
 */
export function useCopy(source: () => Element | null | undefined, text?: string): { notice: string; copy: () => void } {
  const [notice, setNotice] = useState("");

  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(""), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);

  async function copy() {
    const element = source();
    if (!element) return;
    try {
      await navigator.clipboard.writeText(text ?? element.textContent);
      setNotice("Copied");
    } catch {
      window.getSelection()?.selectAllChildren(element);
      setNotice("Selected: press Ctrl+C");
    }
  }
  return { notice, copy };
}
