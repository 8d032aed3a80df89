"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { Confirm } from "#components/dialog/confirm.tsx";
import { SecretPanel } from "#components/secret-panel.tsx";
import type { RotateKeyAnswer } from "#lib/community/schema.ts";
import { COMMUNITY } from "../../../browser/call.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";

/** Replaces the community key, after a confirmation that names the profile. The new key is shown once. */
export function KeyRotation({ publicId, name }: { publicId: string; name: string }) {
  const router = useRouter();
  const [key, setKey] = useState<string | null>(null);

  async function rotate() {
    const outcome = await callAsOwner<z.output<typeof RotateKeyAnswer>>(COMMUNITY, {
      action: "rotate_key",
      public_id: publicId,
    });
    if (!outcome.ok) return outcome.refusal;
    setKey(outcome.body.community_key);
    router.refresh();
    return null;
  }

  return (
    <div className="space-y-6">
      <SecretPanel title={`New community key of ${name}`} secret={key} onStored={() => setKey(null)}>
        This key is shown only once. Store it where the agent reads its secrets.
      </SecretPanel>
      <Confirm
        label="Rotate the key"
        title={`Rotate the key of ${name}?`}
        action={`Rotate the key of ${name}`}
        act={rotate}
      >
        <p>
          The key that {name} uses now stops working at once and cannot be restored. Until the agent has the new key, it
          cannot post or send heartbeats.
        </p>
      </Confirm>
    </div>
  );
}
