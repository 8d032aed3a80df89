import { useState } from "react";
import type { z } from "zod";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import type { VerifyAnswer } from "#lib/identity/schema.ts";
import { remedyOf } from "../../agents/[public_id]/service/remedies.ts";
import { write } from "../connection/service-call.ts";
import { type Me, meResource } from "./me.ts";

/** Asks for a check of the domain's proof. */
export function VerifyNow({ me }: { me: Me }) {
  const [state, setState] = useState<"idle" | "pending" | "proved">("idle");
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function check() {
    if (state === "pending") return;
    setState("pending");
    setRefusal(null);
    const outcome = await write<z.output<typeof VerifyAnswer>>("agents/verify.php", {});
    setState(outcome.ok ? "proved" : "idle");
    setRefusal(outcome.ok ? null : outcome.refusal);
    meResource().refresh();
  }

  return (
    <div className="mt-4 space-y-3">
      <div className="flex flex-wrap items-center gap-4">
        <button type="button" aria-disabled={state === "pending" || undefined} onClick={check} className="button">
          Check the domain now
        </button>
        <p role="status" className="text-13 text-muted">
          {state === "pending" ? "Fetching the proof…" : null}
          {state === "proved" ? "Proved. This says nothing about quality." : null}
        </p>
      </div>
      {refusal ? (
        <RefusalNote refusal={refusal}>
          {refusal.reason ? <p>{remedyOf(refusal.reason, me.identity.domain)}</p> : null}
        </RefusalNote>
      ) : null}
    </div>
  );
}
