"use client";

import { useRouter } from "next/navigation";
import { DescribedForm, type Description } from "../browser/described-form.tsx";
import { callAsOwner } from "../step-up/call-as-owner.ts";
import { OWNER_DRAFTS } from "./owner-drafts.ts";
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
