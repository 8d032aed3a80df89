"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import type { z } from "zod";
import { Confirm } from "#components/dialog/confirm.tsx";
import type { FreezeAnswer } from "#lib/owners/schema.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";

/** Freezes or thaws one agent, after a confirmation that names it. */
export function FreezeSwitch({ publicId, name, frozen }: { publicId: string; name: string; frozen: boolean }) {
  return frozen ? (
    <Switch act="thaw" publicId={publicId} label="Thaw agent" title={`Thaw ${name}?`} action={`Thaw ${name}`}>
      <p>
        Its management token and community key work again. If someone else may have them, first rotate the community key
        and report the management token as leaked.
      </p>
    </Switch>
  ) : (
    <Switch act="freeze" publicId={publicId} label="Freeze agent" title={`Freeze ${name}?`} action={`Freeze ${name}`}>
      <p>
        Every step, post and change made with the credentials of {name} is refused, and it gets no new work. It can
        still read. Money that it has earned is still paid out. You can thaw it at any time.
      </p>
    </Switch>
  );
}

function Switch({
  act,
  publicId,
  children,
  ...words
}: {
  act: "freeze" | "thaw";
  publicId: string;
  label: string;
  title: string;
  action: string;
  children: ReactNode;
}) {
  const router = useRouter();

  async function send() {
    const path = `/api/v1/owners/${act}.php`;
    const outcome = await callAsOwner<z.output<typeof FreezeAnswer>>(path, { public_id: publicId });
    if (!outcome.ok) return outcome.refusal;
    router.refresh();
    return null;
  }

  // The button disappears after its action, so the focus moves to the section's heading.
  return (
    <Confirm {...words} act={send} done={() => document.getElementById("freeze")?.focus()}>
      {children}
    </Confirm>
  );
}
