"use client";

import { type ReactNode, useEffect, useState } from "react";
import type { z } from "zod";
import { Field } from "#components/form/field.tsx";
import { SendButton, useReady } from "#components/form/send-button.tsx";
import type { ConfirmWith } from "#lib/owners/factors/schema.ts";
import type { Outcome } from "../browser/call.ts";
import { askPasskey } from "../browser/passkeys.ts";
import { textOf, useForm } from "../browser/use-form.ts";
import { OwnerRefusal } from "../workspace/owner-refusal.tsx";

export type Way = z.output<typeof ConfirmWith>;

const FIELDS = {
  code: {
    label: "Code",
    hint: "The 6 digits that your authenticator app shows now.",
    inputMode: "numeric",
    autoComplete: "one-time-code",
    instead: "Use a code from your authenticator app",
  },
  recovery_code: {
    label: "Recovery code",
    hint: "One of the codes that you stored, such as k3v9d-x7m2q. Each works once.",
    inputMode: "text",
    autoComplete: "off",
    instead: "Use a recovery code",
  },
  password: {
    label: "Your password",
    hint: undefined,
    inputMode: "text",
    autoComplete: "current-password",
    instead: "Use your password",
  },
} as const;

type Typed = keyof typeof FIELDS;

/** Asks for one proof that this is the owner, by one of these ways. */
export function ProofForm<Body>({
  ways,
  passkeyOptions,
  send,
  done,
  action,
  children,
}: {
  ways: readonly Way[];
  /** Asks the service for what the browser needs to use a passkey. */
  passkeyOptions: () => Promise<Outcome<{ options: object }>>;
  send: (proof: object) => Promise<Outcome<Body>>;
  done: (body: Body) => void;
  /** The button that sends what was typed. */
  action: string;
  /** Shown below the form. */
  children?: ReactNode;
}) {
  const ready = useReady();
  const typed = ways.filter((way): way is Typed => way !== "passkey");
  const hasPasskey = ways.includes("passkey");
  // A recovery code is preselected only when there is no other way.
  const [way, setWay] = useState<Typed | undefined>(typed.find((each) => each !== "recovery_code" || !hasPasskey));
  const [isChosen, setChosen] = useState(false);

  function choose(other: Typed) {
    setWay(other);
    setChosen(true);
  }

  const passkey = useForm(async () => {
    const prepared = await passkeyOptions();
    if (!prepared.ok) return prepared;
    const answer = await askPasskey(prepared.body.options);
    return answer.ok ? send({ passkey: answer.body }) : answer;
  }, done);

  return (
    <div className="max-w-96 space-y-6">
      {hasPasskey ? (
        <form {...passkey.props} className="space-y-4">
          {passkey.refusal ? (
            <OwnerRefusal
              refusal={{ ...passkey.refusal, message: passkey.errorOf("passkey") ?? passkey.refusal.message }}
            />
          ) : null}
          <SendButton primary pending={passkey.pending}>
            Use a passkey
          </SendButton>
        </form>
      ) : null}
      {way ? (
        <TypedProof
          key={way}
          way={way}
          isChosen={isChosen}
          send={send}
          done={done}
          action={action}
          primary={!hasPasskey}
        >
          {children}
        </TypedProof>
      ) : null}
      <ul className="space-y-1 empty:hidden">
        {typed
          .filter((other) => other !== way)
          .map((other) => (
            <li key={other}>
              <button
                type="button"
                disabled={!ready}
                onClick={() => choose(other)}
                className="underline decoration-accent decoration-1 underline-offset-[0.2em] hover:decoration-2 pointer-coarse:py-2.5"
              >
                {FIELDS[other].instead}
              </button>
            </li>
          ))}
      </ul>
      {way ? null : children}
    </div>
  );
}

/** The field for a typed proof. Switching to another way clears it. */
function TypedProof<Body>({
  way,
  isChosen,
  send,
  done,
  action,
  primary,
  children,
}: {
  way: Typed;
  /** Whether its field gets the focus, because the button that chose it is gone. */
  isChosen: boolean;
  send: (proof: object) => Promise<Outcome<Body>>;
  done: (body: Body) => void;
  action: string;
  primary: boolean;
  children?: ReactNode;
}) {
  const { label, hint, inputMode, autoComplete } = FIELDS[way];
  const form = useForm((fields) => send({ [way]: textOf(fields, way) }), done);
  const error = form.errorOf(way);
  const { ref } = form.props;

  useEffect(() => {
    if (isChosen) ref.current?.querySelector<HTMLElement>(`[name="${way}"]`)?.focus();
  }, [isChosen, ref, way]);

  return (
    <form {...form.props} className="space-y-4">
      {form.refusal && !error ? <OwnerRefusal refusal={form.refusal} /> : null}
      {/* Password managers look for a user name, although the password can only be the signed-in owner's. */}
      {way === "password" ? <input type="text" autoComplete="username" readOnly hidden /> : null}
      <Field
        name={way}
        label={label}
        hint={hint}
        type={way === "password" ? "password" : "text"}
        inputMode={inputMode}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        error={error}
        required
      />
      <div className="flex flex-wrap items-center gap-3">
        {children}
        <SendButton primary={primary} pending={form.pending}>
          {action}
        </SendButton>
      </div>
    </form>
  );
}
