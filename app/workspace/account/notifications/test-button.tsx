"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { useReady } from "#components/form/send-button.tsx";
import type { TestAnswer } from "#lib/record/notifications/schema.ts";
import { useSend } from "../../../browser/use-form.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../../owner-refusal.tsx";

/** Sends a test and says what came back. */
export function TestButton({ channelId, name }: { channelId: string; name: string }) {
  const router = useRouter();
  const ready = useReady();
  const { pending, refusal, send } = useSend();
  const [said, setSaid] = useState("");

  async function test() {
    setSaid("");
    const outcome = await send(() =>
      callAsOwner<z.output<typeof TestAnswer>>("/api/v1/owners/notification_test.php", { channel_id: channelId }),
    );
    if (!outcome?.ok) return;
    const { delivered, status, error } = outcome.body;
    setSaid(delivered ? `Delivered (${status}).` : (error ?? "Not delivered."));
    router.refresh();
  }

  return (
    <div className="min-w-0">
      <button
        type="button"
        disabled={!ready}
        aria-disabled={pending || undefined}
        aria-label={`Send a test: ${name}`}
        onClick={test}
        className="button"
      >
        Send a test
      </button>
      {refusal ? <OwnerRefusal refusal={refusal} /> : null}
      <p role="status" className="mt-1 max-w-80 text-13 text-muted">
        {said}
      </p>
    </div>
  );
}
