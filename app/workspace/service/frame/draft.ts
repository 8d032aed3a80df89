import { useEffect } from "react";
import type { Draft } from "../../../browser/fill-form.ts";
import type { DraftPlace, DraftStore } from "../../../browser/use-draft.tsx";
import { useConnection } from "../connection/connection.ts";
import { keepInTab, keptInTab } from "../connection/tab-memory.ts";

// Drafts of forms, in this tab's storage: they survive the form, the connection, a reload and a sign-in, until the form is sent.

const TAB_DRAFTS: DraftStore = {
  isTold: false,
  read(name) {
    try {
      return (JSON.parse(keptInTab(`draft ${name}`) ?? "null") as Draft | null) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write: (name, draft) => keepInTab(`draft ${name}`, draft && JSON.stringify(draft)),
};

/** Whose form it is: the connected identity's, or that of an order, under the ID of its offer, which is nobody's until it is sent. */
export type DraftKey = string | { order: string };

/** Where the draft of a form is kept. */
export function useDraftPlace(key: DraftKey | undefined): DraftPlace | undefined {
  const { publicId } = useConnection();
  if (key === undefined) return undefined;
  return { store: TAB_DRAFTS, name: typeof key === "object" ? key.order : `${publicId} ${key}` };
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
