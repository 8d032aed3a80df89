import { type RefObject, useEffect } from "react";
import { type Draft, fillForm, readForm } from "../../../browser/fill-form.ts";
import { useConnection } from "../connection/connection.ts";

// Drafts of forms, by identity, in this tab's memory. They survive the form and the connection, until the form is sent.

type Store = { get(key: string): Draft | undefined; set(key: string, draft: Draft): void; delete(key: string): void };

const drafts = new Map<string, Draft>();

const PREFIX = "guildhall.order ";
/** The longest draft that the tab's storage keeps, in characters of JSON. */
const MOST = 50_000;

/** Of orders, in the tab's storage: they survive a sign-in, which leaves the page, and belong to nobody until they are sent. */
const orders: Store = {
  get(key) {
    try {
      return (JSON.parse(window.sessionStorage.getItem(PREFIX + key) ?? "null") as Draft | null) ?? undefined;
    } catch {
      return undefined;
    }
  },
  set(key, draft) {
    const text = JSON.stringify(draft);
    try {
      if (text.length <= MOST) window.sessionStorage.setItem(PREFIX + key, text);
    } catch {
      // The storage is full or switched off: the draft lives as long as the form.
    }
  },
  delete(key) {
    window.sessionStorage.removeItem(PREFIX + key);
  },
};

/** Where the draft of a form is kept: of an order, under the ID of its offer. */
export type DraftKey = string | { order: string };

/** Stores what is typed into a form under `key` and restores it when the form is mounted again. Returns a function that deletes it. */
export function useDraft(key: DraftKey, form: RefObject<HTMLFormElement | null>): () => void {
  const connection = useConnection();
  const isOrder = typeof key === "object";
  const store: Store = isOrder ? orders : drafts;
  const whole = isOrder ? key.order : `${connection.publicId} ${key}`;
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const known = store.get(whole);
    if (known) fillForm(element, known);
    const keep = () => store.set(whole, readForm(element));
    element.addEventListener("input", keep);
    return () => element.removeEventListener("input", keep);
  }, [whole, store, form]);
  return () => store.delete(whole);
}
