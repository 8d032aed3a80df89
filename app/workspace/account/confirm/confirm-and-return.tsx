"use client";

import { Link } from "#components/link.tsx";
import { ConfirmForm } from "../../../step-up/confirm-form.tsx";
import type { Way } from "../../../step-up/proof-form.tsx";

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
