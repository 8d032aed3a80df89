import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { type Draft, fillForm, readForm } from "./fill-form.ts";

// Drafts of owners' forms, in this browser's storage: they survive a reload. Signing out clears them with everything else that the site
// has stored.

const PREFIX = "guildhall.draft ";
/** The longest draft that is kept, in characters of JSON. */
const MOST = 50_000;
const KEPT_MS = 7 * 86_400_000;

type Kept = { at: number; fields: Draft };

function readKept(key: string): Draft | undefined {
  try {
    const kept = JSON.parse(window.localStorage.getItem(PREFIX + key) ?? "null") as Kept | null;
    return kept && Date.now() - kept.at < KEPT_MS ? kept.fields : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what was written or chosen; boxes that were ticked are agreed to again. */
function keep(key: string, typed: Draft): void {
  const fields = Object.fromEntries(Object.entries(typed).filter(([, value]) => typeof value === "string"));
  const text = JSON.stringify({ at: Date.now(), fields } satisfies Kept);
  if (text.length > MOST) return;
  try {
    window.localStorage.setItem(PREFIX + key, text);
  } catch {
    // The browser's storage is full or switched off: the draft lives as long as the page.
  }
}

/**
 * Keeps what is typed into a form in this browser for a week, and restores it after a reload.
 * @param owner ID of the account whose draft it is, so that nobody else who uses this browser gets it
 * @returns `forget` deletes the draft, for when the form was sent; `note` says that one was restored, with a button to discard it
 */
export function useLocalDraft(
  owner: string,
  form: string,
  ref: RefObject<HTMLFormElement | null>,
): { forget: () => void; note: ReactNode } {
  const key = `${owner} ${form}`;
  const [restored, setRestored] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const known = readKept(key);
    if (known) fillForm(element, known);
    setRestored(known !== undefined);
    const store = () => keep(key, readForm(element));
    element.addEventListener("input", store);
    return () => element.removeEventListener("input", store);
  }, [key, ref]);
  function forget() {
    window.localStorage.removeItem(PREFIX + key);
    setRestored(false);
  }
  function discard() {
    ref.current?.reset();
    forget();
  }
  const note = restored ? (
    <p role="status" className="text-13 text-muted">
      Your draft was restored.{" "}
      <button type="button" onClick={discard} className="underline">
        Discard draft
      </button>
    </p>
  ) : null;
  return { forget, note };
}
