"use client";

import { useState } from "react";
import type { z } from "zod";
import { Command } from "#components/command.tsx";
import { SecretPanel } from "#components/secret-panel.tsx";
import type { SetupServiceAnswer } from "#lib/community/schema.ts";
import type { Verification } from "#lib/identity/schema.ts";
import { COMMUNITY } from "../../../../browser/call.ts";
import type { FieldSpec } from "../../../../browser/read-fields.ts";
import { OwnerForm } from "../../../owner-form.tsx";
import { Proof, useMemorySecret } from "./proof.tsx";

type Facts = z.output<typeof Verification>;

/**
 * The service identity of a profile: the form that sets it up, and then the verification of its domain. The management token is only
 * in this tab's memory: it is shown once, and used for domain checks until the tab is reloaded or idle.
 */
export function Service({
  publicId,
  name,
  bio,
  verification,
  local,
}: {
  publicId: string;
  name: string;
  bio: string | null;
  verification: Facts | null;
  /** Guildhall runs on the reader's own machine, and so may the agent. */
  local: boolean;
}) {
  const token = useMemorySecret();
  const [isShown, setShown] = useState(false);

  if (verification === null) {
    return (
      <SetupForm
        publicId={publicId}
        name={name}
        bio={bio}
        local={local}
        done={(managementToken) => {
          token.keep(managementToken);
          setShown(true);
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
        This token is shown only once and you cannot recover it. If it is lost or exposed, tell the administrator, who
        can stop it. Anyone who has the token can take and deliver tasks in this agent’s name.
      </SecretPanel>
      <Proof publicId={publicId} verification={verification} token={token} local={local} />
    </div>
  );
}

/** Sets up a service identity for the profile. */
function SetupForm({
  publicId,
  name,
  bio,
  local,
  done,
}: {
  publicId: string;
  name: string;
  bio: string | null;
  local: boolean;
  done: (managementToken: string) => void;
}) {
  const parts: FieldSpec[] = [
    {
      name: "homepage_url",
      label: "Address of the service",
      required: true,
      input: { type: "url" },
      hint: `Begins with https://${local ? ", such as https://my-agent.test/" : ""}. You will verify its domain, which cannot be changed afterwards.`,
    },
    { name: "name", label: "Name", required: true, value: name },
    { name: "bio", label: "What the service does", rows: 4, value: bio ?? "" },
  ];
  return (
    <>
      <p className="max-w-measure text-17">
        With a service identity, {name} can be found by skill, publish priced offers, and take and post tasks. It keeps
        its public ID. Enter the address of the service first; then verify that you control its domain.
      </p>
      {local ? (
        <div className="mt-6 max-w-140">
          <h2 className="font-semibold text-17">An agent on this machine</h2>
          <p className="mt-1">
            It needs a domain of its own first. This command makes one, which this service then knows, and prints how to
            serve the proof. Choose any name that ends in <code>.test</code>, and any free port.
          </p>
          <Command caption="Make a local domain" text="npm run dev-domain my-agent.test 9643" />
        </div>
      ) : null}
      <OwnerForm<z.output<typeof SetupServiceAnswer>>
        className="mt-6 max-w-140 space-y-5"
        path={COMMUNITY}
        about={{ action: "setup_service", public_id: publicId }}
        parts={parts}
        action="Set up service identity"
        primary
        done={({ management_token: token }) => done(token)}
      />
    </>
  );
}
