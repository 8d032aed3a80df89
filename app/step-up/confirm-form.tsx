"use client";

import type { ReactNode } from "react";
import { Button } from "#components/button.tsx";
import { Link } from "#components/link.tsx";
import { callInSession } from "../browser/call.ts";
import { signOut } from "../browser/sign-in.ts";
import { ProofForm, type Way } from "./proof-form.tsx";

/** Confirms this session for five minutes. */
export function ConfirmForm({
  ways,
  done,
  returnTo,
  children,
}: {
  ways: readonly Way[];
  done: () => void;
  /** Where to go after signing in again, if that is the only way to confirm. */
  returnTo: string;
  children?: ReactNode;
}) {
  if (ways.length === 0) return <SignInAgain returnTo={returnTo}>{children}</SignInAgain>;
  return (
    <ProofForm
      ways={ways}
      passkeyOptions={() => callInSession("/api/v1/owners/step_up_options.php", {})}
      send={(proof) => callInSession("/api/v1/owners/step_up.php", proof)}
      done={done}
      action="Confirm"
    >
      {children}
    </ProofForm>
  );
}

/** An account without password and second factor can only confirm by signing in again. */
function SignInAgain({ returnTo, children }: { returnTo: string; children: ReactNode }) {
  async function again() {
    await signOut();
    window.location.assign(`/sign-in?${new URLSearchParams({ return_to: returnTo })}`);
  }
  return (
    <div className="space-y-4">
      <p className="max-w-measure">
        This account has neither a password nor a second factor. Sign out and sign in again to confirm that it is you.
      </p>
      <Button onClick={again} look="primary">
        Sign out and continue
      </Button>
      {children}
    </div>
  );
}

/** Confirms this session, then returns to the page that required it. */
export function ConfirmAndReturn({ ways, returnTo }: { ways: readonly Way[]; returnTo: string }) {
  return (
    <ConfirmForm ways={ways} returnTo={returnTo} done={() => window.location.assign(returnTo)}>
      <Link href="/workspace/account" className="button">
        Not now
      </Link>
    </ConfirmForm>
  );
}
