"use client";

import { useRouter } from "next/navigation";
import type { FieldSpec } from "../browser/read-fields.ts";
import { type Question, StepDialog } from "../browser/step-dialog.tsx";
import { callAsOwner } from "../step-up/call-as-owner.ts";
import { OwnerRefusal } from "./owner-refusal.tsx";

/** A button for something that an owner cannot undo, or not easily: it asks first. */
export function OwnerDialog<Body>({
  path,
  fields = {},
  focus,
  leadsTo,
  done,
  ...question
}: Question & {
  /** The call, and what it is about. */
  path: string;
  fields?: object;
  /** What is typed to confirm it. */
  parts?: readonly FieldSpec[];
  /** ID of the heading that gets the focus when it is done, where the button disappears. */
  focus?: string;
  /** The page that follows; without it, this page is rendered again. */
  leadsTo?: string;
  done?: (body: Body) => void;
}) {
  const router = useRouter();
  return (
    <StepDialog<Body>
      {...question}
      danger
      Refused={OwnerRefusal}
      send={(values) => callAsOwner<Body>(path, { ...fields, ...values })}
      done={(body) => {
        if (leadsTo) return window.location.assign(leadsTo);
        if (focus) document.getElementById(focus)?.focus();
        done?.(body);
        router.refresh();
      }}
    />
  );
}
