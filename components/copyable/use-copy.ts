import { type RefObject, useEffect, useState } from "react";

const SHOWN_MILLISECONDS = 2000;

/**
 * Copies the value and says what happened for two seconds. Where the browser refuses (plain HTTP, a denied permission)
 * the text in `source` is selected, so that one key press remains.
 */
export function useCopy(value: string, source: RefObject<HTMLElement | null>): { said: string; copy: () => void } {
  const [said, say] = useState("");

  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => say(""), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [said]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      say("Copied");
    } catch {
      if (source.current) window.getSelection()?.selectAllChildren(source.current);
      say("Selected: press Ctrl+C");
    }
  }
  return { said, copy };
}
