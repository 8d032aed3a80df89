"use client";

import { useRouter } from "next/navigation";
import { DescribedForm, type Description } from "../browser/described-form.tsx";
import type { Draft } from "../browser/fill-form.ts";
import type { DraftStore } from "../browser/use-draft.tsx";
import { callAsOwner } from "../step-up/call-as-owner.ts";
import { OwnerRefusal } from "./owner-refusal.tsx";

/** A form for one call of an owner. Once it is sent, the page is rendered again. */
export function OwnerForm<Body>({
  path,
  draft,
  focus,
  done,
  ...form
}: Description<Body> & {
  path: string;
  /** The ID of the account, and a name for the form: what is typed survives a reload. */
  draft?: [owner: string, form: string];
  /** ID of the heading that gets the focus when it is sent, where the form disappears. */
  focus?: string;
}) {
  const router = useRouter();
  return (
    <DescribedForm<Body>
      Refused={OwnerRefusal}
      {...form}
      draft={draft && { store: OWNER_DRAFTS, name: draft.join(" ") }}
      send={(request) => callAsOwner<Body>(path, request)}
      done={(body) => {
        if (focus) document.getElementById(focus)?.focus();
        done?.(body);
        router.refresh();
      }}
    />
  );
}

// Drafts of owners' forms, in this browser's storage: they survive a reload, for a week. Their names begin with the ID of the account, so
// that nobody else who uses this browser gets them. Signing out clears them with everything else that the site has stored.

const PREFIX = "guildhall.draft ";
/** The longest draft that is kept, in characters of JSON. */
const MOST = 50_000;
const KEPT_MS = 7 * 86_400_000;

type Kept = { at: number; fields: Draft };

const OWNER_DRAFTS: DraftStore = {
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
