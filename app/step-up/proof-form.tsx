"use client";

import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { z } from "zod";
import type { Refusal } from "#components/form/refusal.tsx";
import { SendButton, useReady } from "#components/form/send-button.tsx";
import type { ConfirmWith } from "#lib/owners/factors/schema.ts";
import type { Outcome } from "../browser/call.ts";
import { DescribedForm } from "../browser/described-form.tsx";
import { askPasskey } from "../browser/passkeys.ts";
import type { FieldSpec } from "../browser/read-fields.ts";
import { useForm } from "../browser/use-form.ts";
import { OwnerRefusal } from "../workspace/owner-refusal.tsx";

export type Way = z.output<typeof ConfirmWith>;

const FIELDS = {
  code: {
    name: "code",
    label: "Code",
    hint: "The 6 digits that your authenticator app shows now.",
    required: true,
    code: true,
    input: { inputMode: "numeric", autoComplete: "one-time-code" },
  },
  recovery_code: {
    name: "recovery_code",
    label: "Recovery code",
    hint: "One of the codes that you stored, such as k3v9d-x7m2q. Each works once.",
    required: true,
    code: true,
  },
  password: {
    name: "password",
    label: "Your password",
    as: "verbatim",
    required: true,
    code: true,
    input: { type: "password", autoComplete: "current-password" },
  },
} as const satisfies Record<string, FieldSpec>;

const INSTEAD = {
  code: "Use a code from your authenticator app",
  recovery_code: "Use a recovery code",
  password: "Use your password",
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
                {INSTEAD[other]}
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
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) place.current?.querySelector<HTMLElement>(`[name="${way}"]`)?.focus();
  }, [isChosen, way]);
  // What is wrong with the proof stands beside its field.
  const Refused = useCallback(
    ({ refusal }: { refusal: Refusal }) => (refusal.fieldErrors[way] ? null : <OwnerRefusal refusal={refusal} />),
    [way],
  );

  return (
    <div ref={place}>
      <DescribedForm<Body>
        className="space-y-4"
        Refused={Refused}
        parts={[...(way === "password" ? [accountField] : []), FIELDS[way]]}
        action={action}
        primary={primary}
        before={children}
        send={send}
        done={done}
      />
    </div>
  );
}

/** Password managers look for a user name, although the password can only be the signed-in owner's. */
const accountField = () => <input type="text" autoComplete="username" readOnly hidden />;
