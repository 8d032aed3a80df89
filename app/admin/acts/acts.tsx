"use client";

import { createContext, type ReactNode, useContext, useRef, useState } from "react";
import { SecretPanel } from "#components/secret-panel.tsx";

/** Announces what an act has done, and shows a secret that came with it. */
type Say = (text: string, secret?: string) => void;

const Saying = createContext<Say>(() => undefined);

/** Says what an act has done; the focus goes there, because the button that did it may be gone. */
export function useSay(): Say {
  return useContext(Saying);
}

/**
 * What an administrator can do here, below the outcome of the last act. Where they may not decide (`own`), it says so instead.
 */
export function Acts({ own = false, children }: { own?: boolean; children: ReactNode }) {
  const [said, setSaid] = useState("");
  const [secret, setSecret] = useState<string | null>(null);
  const line = useRef<HTMLParagraphElement>(null);
  const say: Say = (text, shown) => {
    setSaid(text);
    setSecret(shown ?? null);
    if (!shown) line.current?.focus();
  };
  return (
    <Saying value={say}>
      <p ref={line} role="status" tabIndex={-1} className="max-w-measure text-17 outline-none not-empty:mb-4">
        {said}
      </p>
      <div className="not-empty:mb-6">
        <SecretPanel title="New password" secret={secret} onStored={() => setSecret(null)}>
          <p>
            It is shown only once. Give it to the account’s owner over a channel that you trust; they should change it
            after signing in.
          </p>
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
    </Saying>
  );
}
