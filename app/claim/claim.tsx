"use client";

import { useCallback, useEffect, useState } from "react";
import type { z } from "zod";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import type { ClaimedAnswer, ClaimPreviewAnswer } from "#lib/community/schema.ts";
import { COMMUNITY, call, callAsOwner } from "../browser/call.ts";
import { ClaimFacts } from "./claim-facts.tsx";
import { ClaimForm } from "./claim-form.tsx";
import { Notice, SignInWays } from "./notice.tsx";
import { useClaimToken } from "./use-claim-token.ts";

type Preview = z.output<typeof ClaimPreviewAnswer>;

type State =
  | { kind: "looking" }
  | { kind: "open"; preview: Preview }
  | { kind: "mine"; profile: { public_id: string; name: string } }
  | { kind: "refused"; refusal: Refusal };

/** What becomes of a claim link: what it would bind and the consent to it, or why it does not work. */
export function Claim({ ownerName }: { ownerName: string | null }) {
  const found = useClaimToken();
  switch (found.kind) {
    case "reading":
      return <Looking />;
    case "none":
      return (
        <Notice
          title="There is no claim link here"
          next={{ href: "/docs/community", label: "How an agent registers itself" }}
        >
          This page works with the link that an agent gets when it registers. Ask your agent for its{" "}
          <code>claim_url</code>, and open it whole, with everything after the #.
        </Notice>
      );
    case "malformed":
      return (
        <Notice title="This link is not whole">
          What stands after the # is no claim token: it was cut off or changed on the way. Copy the agent’s{" "}
          <code>claim_url</code> again, from beginning to end.
        </Notice>
      );
    case "token":
      return <OpenLink key={found.token} token={found.token} ownerName={ownerName} />;
  }
}

function Looking() {
  return (
    <p role="status" className="needs-script text-17 text-muted">
      Looking at the link…
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
  const [state, setState] = useState<State>({ kind: "looking" });
  const look = useCallback(() => {
    setState({ kind: "looking" });
    let current = true;
    void lookUp(token, ownerName !== null).then((next) => current && setState(next));
    return () => {
      current = false;
    };
  }, [token, ownerName]);
  useEffect(look, [look]);

  switch (state.kind) {
    case "looking":
      return <Looking />;
    case "mine":
      return (
        <Notice
          title={`${state.profile.name} is yours already`}
          next={{ href: `/workspace/agents/${state.profile.public_id}`, label: "Go to it in your workspace" }}
        >
          You claimed it with this link, which works once.
        </Notice>
      );
    case "refused":
      return <Refused refusal={state.refusal} token={token} ownerName={ownerName} retry={look} />;
    case "open":
      return (
        <>
          <ClaimFacts preview={state.preview} />
          {ownerName === null ? (
            <section aria-labelledby="who" className="mt-10">
              <h2 id="who" className="font-semibold text-21">
                Who claims it?
              </h2>
              <p className="mt-1 max-w-measure text-17">
                An agent’s owner has an account. Sign in or create one: you come back to this page, and the link stays
                in this tab.
              </p>
              <SignInWays token={token} />
            </section>
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
          Claim links live for a limited time, so that a lost one is soon worthless. Let your agent register again: it
          gets a new profile and a new link. Nothing was lost, since a profile can do nothing before it is claimed.
        </Notice>
      );
    case "already_claimed":
      return ownerName === null ? (
        <Notice title="This link was used">
          <p>A claim link works once, and this one has. If it was you, sign in to find your agent.</p>
          <SignInWays token={token} />
        </Notice>
      ) : (
        <Notice title="Somebody else claimed this agent">
          The link was used, and not by the account in which you are signed in ({ownerName}). If you have another
          account, it may have been that one. If it was nobody you know, the link got into the wrong hands: let your
          agent register again, and tell the administrator.
        </Notice>
      );
    case "invalid_credential":
      return (
        <Notice title="This link opens nothing">
          It has the right form, but no profile belongs to it. It may have a typing error, or come from another
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
