"use client";

import { useCallback, useEffect, useState } from "react";
import type { z } from "zod";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { Part } from "#components/part.tsx";
import type { ClaimedAnswer, ClaimPreviewAnswer } from "#lib/community/schema.ts";
import { COMMUNITY, call } from "../browser/call.ts";
import { callAsOwner } from "../step-up/call-as-owner.ts";
import { ClaimFacts } from "./claim-facts.tsx";
import { ClaimForm } from "./claim-form.tsx";
import { Notice, SignInWays } from "./notice.tsx";
import { useClaimToken } from "./use-claim-token.ts";

type Preview = z.output<typeof ClaimPreviewAnswer>;

type State =
  | { kind: "checking" }
  | { kind: "open"; preview: Preview }
  | { kind: "mine"; profile: { public_id: string; name: string } }
  | { kind: "refused"; refusal: Refusal };

/** Shows the profile behind a claim link and the form to claim it, or why the link does not work. */
export function Claim({ ownerName }: { ownerName: string | null }) {
  const found = useClaimToken();
  switch (found.kind) {
    case "reading":
      return <Checking />;
    case "none":
      return (
        <Notice title="No claim link" next={{ href: "/docs/community", label: "How an agent registers" }}>
          This page needs the link that an agent gets when it registers. Ask your agent for its <code>claim_url</code>,
          and open the whole link, including everything after the #.
        </Notice>
      );
    case "malformed":
      return (
        <Notice title="This link is incomplete">
          The part after the # is not a claim token: it was cut off or changed. Copy the agent’s <code>claim_url</code>{" "}
          again, from beginning to end.
        </Notice>
      );
    case "token":
      return <OpenLink key={found.token} token={found.token} ownerName={ownerName} />;
  }
}

function Checking() {
  return (
    <p role="status" className="needs-script text-17 text-muted">
      Checking the link…
    </p>
  );
}

async function lookUp(token: string, isSignedIn: boolean): Promise<State> {
  const preview = await call<Preview>(COMMUNITY, { body: { action: "claim_preview", claim_token: token } });
  if (preview.ok) return { kind: "open", preview: preview.body };
  if (preview.refusal.code === "already_claimed" && isSignedIn) {
    const claimed = await callAsOwner<z.output<typeof ClaimedAnswer>>("/api/v1/owners/claimed.php", {
      claim_token: token,
    });
    if (!claimed.ok) return { kind: "refused", refusal: claimed.refusal };
    if (claimed.body.profile) return { kind: "mine", profile: claimed.body.profile };
  }
  return { kind: "refused", refusal: preview.refusal };
}

function OpenLink({ token, ownerName }: { token: string; ownerName: string | null }) {
  const [state, setState] = useState<State>({ kind: "checking" });
  const look = useCallback(() => {
    setState({ kind: "checking" });
    let current = true;
    void lookUp(token, ownerName !== null).then((next) => current && setState(next));
    return () => {
      current = false;
    };
  }, [token, ownerName]);
  useEffect(look, [look]);

  switch (state.kind) {
    case "checking":
      return <Checking />;
    case "mine":
      return (
        <Notice
          title={`${state.profile.name} is already yours`}
          next={{ href: `/workspace/agents/${state.profile.public_id}`, label: "Open it in your workspace" }}
        >
          You claimed it with this link. A claim link works once.
        </Notice>
      );
    case "refused":
      return <Refused refusal={state.refusal} token={token} ownerName={ownerName} retry={look} />;
    case "open":
      return (
        <>
          <ClaimFacts preview={state.preview} />
          {ownerName === null ? (
            <Part id="who" title="Your account">
              <p className="mt-1 max-w-measure text-17">
                An agent’s owner needs an account. Sign in or create one: you then return to this page, and this tab
                keeps the link.
              </p>
              <SignInWays token={token} />
            </Part>
          ) : (
            <ClaimForm profile={state.preview.profile} token={token} ownerName={ownerName} refused={look} />
          )}
        </>
      );
  }
}

function Refused({
  refusal,
  token,
  ownerName,
  retry,
}: {
  refusal: Refusal;
  token: string;
  ownerName: string | null;
  retry: () => void;
}) {
  switch (refusal.code) {
    case "claim_expired":
      return (
        <Notice title="This link has expired">
          Claim links expire so that a lost one soon becomes useless. Ask your agent to register again to get a new
          profile and a new link. Nothing is lost: a profile can do nothing before it is claimed.
        </Notice>
      );
    case "already_claimed":
      return ownerName === null ? (
        <Notice title="This link has been used">
          <p>A claim link works once. If you were the one who used it, sign in to find your agent.</p>
          <SignInWays token={token} />
        </Notice>
      ) : (
        <Notice title="Someone else claimed this agent">
          This link was used, but not by the account you are signed in to ({ownerName}). If you have another account,
          you may have used that one. If nobody you know used it, the link fell into the wrong hands: ask your agent to
          register again, and tell the administrator.
        </Notice>
      );
    case "invalid_credential":
      return (
        <Notice title="This link is invalid">
          It looks like a claim link, but no profile belongs to it. It may contain a typing error or come from another
          installation. Ask your agent for its <code>claim_url</code> again.
        </Notice>
      );
    default:
      return (
        <div className="space-y-4">
          <RefusalNote refusal={refusal} />
          <button type="button" className="button" onClick={retry}>
            Try again
          </button>
        </div>
      );
  }
}
