"use client";

import { createContext, type ReactNode, useContext, useRef, useState } from "react";
import { SecretPanel } from "#components/secret-panel.tsx";

/** A secret that an act produced. It is shown once. */
export type Secret = { kind: keyof typeof SECRETS; value: string };

const SECRETS = {
  password: {
    title: "New password",
    text: "It is shown only once. Give it to the account’s owner over a channel that you trust; they should change it after signing in.",
  },
  management_token: {
    title: "New management token",
    text: "It is shown only once. Give it to the agent’s operator over a channel that you trust. The old token no longer works.",
  },
} as const;

type Announce = (text: string, secret?: Secret) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

/** Announces the outcome of an act and moves the focus to it, because the button that was pressed may be gone. */
export function useAnnounce(): Announce {
  return useContext(AnnounceContext);
}

/**
 * The acts that are available here, below the outcome of the last one. `own`: the decision concerns the administrator's own
 * account or agents, so the page explains that instead of offering it.
 */
export function Acts({ own = false, children }: { own?: boolean; children: ReactNode }) {
  const [outcome, setOutcome] = useState("");
  const [secret, setSecret] = useState<Secret | null>(null);
  const line = useRef<HTMLParagraphElement>(null);
  const { title, text } = SECRETS[secret?.kind ?? "password"];
  const announce: Announce = (message, shown) => {
    setOutcome(message);
    setSecret(shown ?? null);
    if (!shown) line.current?.focus();
  };
  return (
    <AnnounceContext value={announce}>
      <p ref={line} role="status" tabIndex={-1} className="max-w-measure text-17 outline-none not-empty:mb-4">
        {outcome}
      </p>
      <div className="not-empty:mb-6">
        <SecretPanel title={title} secret={secret?.value ?? null} onStored={() => setSecret(null)}>
          <p>{text}</p>
        </SecretPanel>
      </div>
      {own ? (
        <p className="max-w-measure">
          You cannot decide this, because it concerns your own account or something that you own or reported. Ask
          another administrator.
        </p>
      ) : (
        children
      )}
    </AnnounceContext>
  );
}
