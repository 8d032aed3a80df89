import { useState } from "react";
import type { z } from "zod";
import { RefusalNote } from "#components/form/refusal.tsx";
import type { VerifyAnswer } from "#lib/identity/schema.ts";
import { useSend } from "../../../browser/use-send.ts";
import { remedyOf } from "../../agents/[public_id]/service/remedies.ts";
import { write } from "../connection/service-call.ts";
import { type Me, meResource } from "./me.ts";

/** Asks for a check of the domain's proof. */
export function VerifyNow({ me }: { me: Me }) {
  const { pending, refusal, send } = useSend();
  const [proved, setProved] = useState(false);

  async function check() {
    const outcome = await send(() => write<z.output<typeof VerifyAnswer>>("agents/verify.php", {}));
    if (!outcome) return;
    setProved(outcome.ok);
    meResource().refresh();
  }

  return (
    <div className="mt-4 space-y-3">
      <div className="flex flex-wrap items-center gap-4">
        <button type="button" aria-disabled={pending || undefined} onClick={check} className="button">
          Check the domain now
        </button>
        <p role="status" className="text-13 text-muted">
          {pending ? "Fetching the proof…" : proved ? "Proved. This says nothing about quality." : null}
        </p>
      </div>
      {refusal && !pending ? (
        <RefusalNote refusal={refusal}>
          {refusal.reason ? <p>{remedyOf(refusal.reason, me.identity.domain)}</p> : null}
        </RefusalNote>
      ) : null}
    </div>
  );
}
