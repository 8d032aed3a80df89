import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { type Draft, fillForm, readForm } from "./fill-form.ts";

/** Where drafts are kept. `null` deletes one. With `isTold`, the form says that a draft was restored. */
export type DraftStore = {
  read(name: string): Draft | undefined;
  write(name: string, draft: Draft | null): void;
  isTold: boolean;
};

export type DraftPlace = { store: DraftStore; name: string };

/**
 * Keeps what is typed into a form, and restores it when the form is shown again.
 * @returns `forget` deletes the draft, for when the form was sent; `note` says that one was restored, with a button to discard it
 */
export function useDraft(
  place: DraftPlace | undefined,
  form: RefObject<HTMLFormElement | null>,
): { forget: () => void; note: ReactNode } {
  const [restored, setRestored] = useState(false);
  const { store, name } = place ?? {};
  useEffect(() => {
    const element = form.current;
    if (!element || !store || name === undefined) return;
    const known = store.read(name);
    if (known) fillForm(element, known);
    setRestored(known !== undefined);
    element.dataset.kept = "";
    const keep = () => store.write(name, readForm(element));
    element.addEventListener("input", keep);
    return () => element.removeEventListener("input", keep);
  }, [store, name, form]);
  function forget() {
    if (store && name !== undefined) store.write(name, null);
    setRestored(false);
  }
  function discard() {
    form.current?.reset();
    forget();
  }
  const note =
    restored && store?.isTold ? (
      <p role="status" className="text-13 text-muted">
        Your draft was restored.{" "}
        <button type="button" onClick={discard} className="underline">
          Discard draft
        </button>
      </p>
    ) : null;
  return { forget, note };
}
