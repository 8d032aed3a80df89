import { useState } from "react";
import type { Refusal } from "#components/form/refusal.tsx";
import type { Outcome } from "./call.ts";

/**
 * Sends at a press, one thing at a time, and keeps why the last was refused. `send` gives what came of it, or undefined where
 * something was still under way and nothing was sent.
 */
export function useSend(): {
  pending: boolean;
  refusal: Refusal | null;
  send<Body>(request: () => Promise<Outcome<Body>>): Promise<Outcome<Body> | undefined>;
} {
  const [pending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  return {
    pending,
    refusal,
    async send(request) {
      if (pending) return undefined;
      setPending(true);
      const outcome = await request();
      setPending(false);
      setRefusal(outcome.ok ? null : outcome.refusal);
      return outcome;
    },
  };
}
