import { type RefObject, useEffect } from "react";
import { type Draft, fillForm, readForm } from "../../../browser/fill-form.ts";
import { useConnection } from "../connection/connection.ts";
import { keepInTab, keptInTab } from "../connection/tab-memory.ts";

// Drafts of forms, in this tab's storage: they survive the form, the connection, a reload and a sign-in, until the form is sent.

/** Whose form it is: the connected identity's, or that of an order, under the ID of its offer, which is nobody's until it is sent. */
export type DraftKey = string | { order: string };

/** Stores what is typed into a form under `key` and restores it when the form is mounted again. Returns a function that deletes it. */
export function useDraft(key: DraftKey, form: RefObject<HTMLFormElement | null>): () => void {
  const connection = useConnection();
  const name = `draft ${typeof key === "object" ? key.order : `${connection.publicId} ${key}`}`;
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const known = parsed(keptInTab(name));
    if (known) fillForm(element, known);
    element.dataset.kept = "";
    const keep = () => keepInTab(name, JSON.stringify(readForm(element)));
    element.addEventListener("input", keep);
    return () => element.removeEventListener("input", keep);
  }, [name, form]);
  return () => keepInTab(name, null);
}

function parsed(text: string | null): Draft | undefined {
  try {
    return (JSON.parse(text ?? "null") as Draft | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether a reload would lose something: text in a form that keeps no draft, or a file that was chosen. */
function holdsUnsaved(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("form input, form textarea");
  return [...fields].some((field) => {
    if (field.type === "file") return field.value !== "";
    const isText = field instanceof HTMLTextAreaElement || ["text", "url", "email"].includes(field.type);
    const isKept = field.form?.dataset.kept !== undefined;
    return isText && !isKept && field.name !== "management_token" && field.value !== field.defaultValue;
  });
}

/** Has the browser ask before the page is left with something that would be lost. */
export function useUnsavedWarning(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (holdsUnsaved()) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
}
