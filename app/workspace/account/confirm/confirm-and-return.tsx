"use client";

import { ConfirmForm } from "../../../step-up/confirm-form.tsx";
import type { Way } from "../../../step-up/proof-form.tsx";

/** Confirms this session, then goes back to where it was asked for. */
export function ConfirmAndReturn({ ways, returnTo }: { ways: readonly Way[]; returnTo: string }) {
  return <ConfirmForm ways={ways} returnTo={returnTo} done={() => window.location.assign(returnTo)} />;
}
