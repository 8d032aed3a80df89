"use client";

import { useEffect, useId, useRef } from "react";
import type { z } from "zod";
import { useCopy } from "#components/copyable.tsx";
import { Confirm } from "#components/dialog/confirm.tsx";
import type { RecoveryCodesAnswer } from "#lib/owners/factors/schema.ts";
import { callAsOwner } from "../../../browser/call.ts";

/** Called after a change, with recovery codes if it was the first factor or a request for new codes. */
export type Changed = (recoveryCodes?: string[] | null) => void;

/** How many codes are left, and how to get new ones. */
export function RecoveryCodes({ left, changed }: { left: number; changed: Changed }) {
  async function renew() {
    const outcome = await callAsOwner<z.output<typeof RecoveryCodesAnswer>>("/api/v1/owners/recovery_codes.php", {});
    if (!outcome.ok) return outcome.refusal;
    changed(outcome.body.recovery_codes);
    return null;
  }

  return (
    <div className="mt-8">
      <h3 className="mb-2 font-semibold text-17">Recovery codes</h3>
      <p className="mb-4 max-w-measure">
        If you lose your second factor, each code replaces it once.{" "}
        <strong className="font-semibold">{left === 1 ? "1 code is left." : `${left} codes are left.`}</strong>
      </p>
      <Confirm label="Get new codes" title="Get new recovery codes?" action="Replace my recovery codes" act={renew}>
        <p>Ten new codes are shown once. The old ones stop working immediately.</p>
      </Confirm>
    </div>
  );
}

/** New codes, shown only once. Renders nothing when there are none. */
export function NewRecoveryCodes({ codes, onStored }: { codes: readonly string[] | null; onStored: () => void }) {
  const heading = useId();
  const top = useRef<HTMLElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { notice, copy } = useCopy(codes?.join("\n") ?? "", list);

  // They appear above the button that the owner pressed, and must not be missed.
  useEffect(() => {
    if (codes) top.current?.focus();
  }, [codes]);

  if (!codes) return null;
  return (
    <section
      ref={top}
      tabIndex={-1}
      aria-labelledby={heading}
      className="mt-6 border-2 border-caution bg-wash p-4 sm:p-6"
    >
      <h3 id={heading} className="font-semibold text-21">
        Your recovery codes
      </h3>
      <p className="mt-1 max-w-measure">
        They are shown only once. Store them where you can find them without your phone. Each code replaces your second
        factor once.
      </p>
      <ul
        ref={list}
        className="mt-4 grid grid-cols-1 gap-x-8 gap-y-1 border-edge border-y bg-paper px-3 py-3 sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>
            <code className="text-17">{code}</code>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <button type="button" onClick={copy} className="button button-primary">
          Copy
        </button>
        <button type="button" onClick={onStored} className="button">
          I have stored them
        </button>
        <span role="status" className="text-13 text-muted">
          {notice}
        </span>
      </div>
    </section>
  );
}
