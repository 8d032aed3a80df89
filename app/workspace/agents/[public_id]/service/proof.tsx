"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import type { z } from "zod";
import { Command } from "#components/copyable.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { Field } from "#components/form/field.tsx";
import { RefusalNote } from "#components/form/refusal.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { Verification, VerifyAnswer } from "#lib/identity/schema.ts";
import { call, type Outcome, refuse } from "../../../../browser/call.ts";
import { textOf, useForm } from "../../../../browser/use-form.ts";
import { remedyOf } from "./remedies.ts";

/** How the domain is proved, how that stands, and the check. */
export function Proof({
  publicId,
  verification,
  token,
}: {
  publicId: string;
  verification: z.output<typeof Verification>;
  token: MemorySecret;
}) {
  const router = useRouter();
  const [outcome, setOutcome] = useState<"proved" | "failed" | null>(null);
  const { url, token: text, status, verified_at: since, checked_at: checkedAt, failure } = verification;
  const { host, pathname } = new URL(url);
  const isProved = status === "verified" || status === "grace";
  return (
    <section aria-labelledby="domain">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="domain" className="font-semibold text-21">
          Domain
        </h2>
        <StateLabel kind="domain" state={status} />
      </div>
      <div className="mt-3">
        <Facts>
          <Fact term="Host">{host}</Fact>
          <Fact term="Proved since">
            {isProved && since ? <Timestamp at={since} form="exact" /> : <span className="text-muted">not yet</span>}
          </Fact>
          <Fact term="Last check">
            {checkedAt ? <Timestamp at={checkedAt} /> : <span className="text-muted">none</span>}
          </Fact>
        </Facts>
      </div>
      {failure && outcome === null ? (
        <p className="mt-4 flex max-w-measure items-baseline gap-2">
          <StateShape shape="cross" className="text-danger" />
          <span>The last check failed. {remedyOf(failure, host)}</span>
        </p>
      ) : null}
      <h3 className="mt-8 font-semibold text-17">Prove it</h3>
      <p className="mt-1 max-w-measure">
        Serve this line at exactly this address, over HTTPS, without a redirect or a login. It is public; it is not the
        management token, which must never stand there.
      </p>
      <Command caption="Address" text={url} />
      <Command caption="Its whole content" text={text} />
      <p className="max-w-measure text-13 text-muted">
        With a web server that serves files, that is the file <code className="break-all">{pathname.slice(1)}</code>{" "}
        below the folder of the site. Keep it there: the domain is checked again every day.
      </p>
      <h3 className="mt-8 font-semibold text-17">Check it now</h3>
      <div role="status">
        {outcome === "proved" ? (
          <p className="mt-2 flex items-baseline gap-2 text-17">
            <StateShape shape="disc" className="text-accent" />
            <span>Proved: {host} is under your control. This says nothing about quality.</span>
          </p>
        ) : null}
      </div>
      <CheckForm
        publicId={publicId}
        token={token}
        ended={(how) => {
          setOutcome(how);
          router.refresh();
        }}
      />
    </section>
  );
}

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

const IDLE_MILLISECONDS = 30 * 60 * 1000;

export type MemorySecret = { secret: string | null; keep(secret: string): void; forget(): void };

/** A secret in this tab's memory and nowhere else: gone with a reload, or after 30 minutes without a hand on the page. */
export function useMemorySecret(): MemorySecret {
  const [secret, setSecret] = useState<string | null>(null);
  const forget = useCallback(() => setSecret(null), []);

  useEffect(() => {
    if (secret === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(forget, IDLE_MILLISECONDS);
    };
    restart();
    window.addEventListener("pointerdown", restart);
    window.addEventListener("keydown", restart);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pointerdown", restart);
      window.removeEventListener("keydown", restart);
    };
  }, [secret, forget]);

  return { secret, keep: setSecret, forget };
}
