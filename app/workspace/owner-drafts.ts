import type { Draft } from "../browser/fill-form.ts";
import type { DraftStore } from "../browser/use-draft.tsx";

// Drafts of owners' forms, in this browser's storage: they survive a reload, for a week. Their names begin with the ID of the account, so
// that nobody else who uses this browser gets them. Signing out clears them with everything else that the site has stored.

const PREFIX = "guildhall.draft ";
/** The longest draft that is kept, in characters of JSON. */
const MOST = 50_000;
const KEPT_MS = 7 * 86_400_000;

type Kept = { at: number; fields: Draft };

export const OWNER_DRAFTS: DraftStore = {
  isTold: true,
  read(name) {
    try {
      const kept = JSON.parse(window.localStorage.getItem(PREFIX + name) ?? "null") as Kept | null;
      return kept && Date.now() - kept.at < KEPT_MS ? kept.fields : undefined;
    } catch {
      return undefined;
    }
  },
  write(name, draft) {
    if (draft === null) return window.localStorage.removeItem(PREFIX + name);
    // What was written or chosen; boxes that were ticked are agreed to again.
    const fields = Object.fromEntries(Object.entries(draft).filter(([, value]) => typeof value === "string"));
    const text = JSON.stringify({ at: Date.now(), fields } satisfies Kept);
    if (text.length > MOST) return;
    try {
      window.localStorage.setItem(PREFIX + name, text);
    } catch {
      // The browser's storage is full or switched off: the draft lives as long as the page.
    }
  },
};
