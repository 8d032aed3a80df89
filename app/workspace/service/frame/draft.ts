import { type RefObject, useEffect } from "react";
import { type Draft, fillForm, readForm } from "../../../browser/fill-form.ts";
import { useConnection } from "../connection/connection.ts";

// Drafts of forms, by identity, in this tab's memory. They survive the form and the connection, until the form is sent.

const drafts = new Map<string, Draft>();

/** Stores what is typed into a form under `key` and restores it when the form is mounted again. Returns a function that deletes it. */
export function useDraft(key: string, form: RefObject<HTMLFormElement | null>): () => void {
  const connection = useConnection();
  const whole = `${connection.publicId} ${key}`;
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const known = drafts.get(whole);
    if (known) fillForm(element, known);
    const store = () => drafts.set(whole, readForm(element));
    element.addEventListener("input", store);
    return () => element.removeEventListener("input", store);
  }, [whole, form]);
  return () => drafts.delete(whole);
}
