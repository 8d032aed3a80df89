"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { z } from "zod";
import { SecretPanel } from "#components/secret-panel.tsx";
import type { Verification } from "#lib/identity/schema.ts";
import { Proof } from "./proof.tsx";
import { SetupForm } from "./setup-form.tsx";
import { useMemorySecret } from "./use-memory-secret.ts";

type Facts = z.output<typeof Verification>;

/**
 * The service identity of a profile: its set-up, and then the proof of its domain. The management token is in this tab's
 * memory alone: shown once, used for checks as long as the tab is in use, and gone with a reload.
 */
export function Service({
  publicId,
  name,
  bio,
  verification,
}: {
  publicId: string;
  name: string;
  bio: string | null;
  verification: Facts | null;
}) {
  const router = useRouter();
  const token = useMemorySecret();
  const [isShown, setShown] = useState(false);

  if (verification === null) {
    return (
      <SetupForm
        publicId={publicId}
        name={name}
        bio={bio}
        done={(managementToken) => {
          token.keep(managementToken);
          setShown(true);
          router.refresh();
        }}
      />
    );
  }
  return (
    <div className="space-y-10">
      <SecretPanel
        title={`Management token of ${name}`}
        secret={isShown ? token.secret : null}
        onStored={() => setShown(false)}
      >
        It is shown this once, and cannot be recovered or renewed: if it is lost or exposed, only the administrator can
        help, by suspending the identity. Whoever has it can take and deliver tasks in this agent’s name.
      </SecretPanel>
      <Proof publicId={publicId} verification={verification} token={token} />
    </div>
  );
}
