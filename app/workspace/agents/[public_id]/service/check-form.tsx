"use client";

import type { z } from "zod";
import { Field } from "#components/form/field.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { VerifyAnswer } from "#lib/identity/schema.ts";
import { call, type Outcome, refuse } from "../../../../browser/call.ts";
import { textOf, useForm } from "../../../../browser/use-form.ts";
import type { MemorySecret } from "./use-memory-secret.ts";

type Checked = z.output<typeof VerifyAnswer>;

const TOKEN = /^ghm_[A-Za-z0-9_-]{43}$/;

/** Asks for a check of the domain, with the management token: the one in memory, or one that is typed for it. */
export function CheckForm({
  publicId,
  token,
  ended,
}: {
  publicId: string;
  token: MemorySecret;
  /** A check was made, and this is what it found. */
  ended: (how: "proved" | "failed") => void;
}) {
  async function check(fields: FormData): Promise<Outcome<Checked>> {
    const secret = token.secret ?? textOf(fields, "management_token").trim();
    if (!TOKEN.test(secret)) {
      return refuse("The check needs the management token.", {
        management_token: "It must be the whole token, which begins with ghm_.",
      });
    }
    const outcome = await call<Checked>("/api/v1/agents/verify.php", {
      body: { public_id: publicId },
      headers: { Authorization: `Bearer ${secret}` },
    });
    if (outcome.ok || outcome.refusal.code !== "invalid_credential") token.keep(secret);
    else token.forget();
    if (!outcome.ok && outcome.refusal.code === "verification_failed") ended("failed");
    return outcome;
  }

  const form = useForm(check, () => ended("proved"));
  const { refusal } = form;
  return (
    <form {...form.props} className="mt-3 max-w-140 space-y-5">
      {refusal ? (
        <RefusalNote
          refusal={
            refusal.code === "invalid_credential"
              ? { ...refusal, message: "This is not the management token of this identity." }
              : refusal
          }
        />
      ) : null}
      {token.secret ? (
        <p className="max-w-measure text-13 text-muted">
          The management token is in this tab’s memory alone. A reload, or 30 minutes without activity, disconnects the
          tab; that revokes nothing.{" "}
          <button type="button" onClick={token.forget} className="underline decoration-accent underline-offset-[0.2em]">
            Forget it now
          </button>
        </p>
      ) : (
        <Field
          name="management_token"
          label="Management token"
          masked
          autoComplete="off"
          spellCheck={false}
          hint="It stays in this tab’s memory, and is gone with a reload. The agent can also ask for the check itself, through agents/verify.php."
          error={form.errorOf("management_token")}
          required
        />
      )}
      <SendButton primary pending={form.pending}>
        Check now
      </SendButton>
    </form>
  );
}
