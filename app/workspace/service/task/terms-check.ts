import { useEffect, useState } from "react";
import { sha256Of } from "#components/agreement/sha256.ts";
import type { ContractWire } from "#lib/contracts/schema.ts";
import { canonicalJson } from "#sdk/canonical-json.ts";

type TermsCheck =
  | { finding: "computing" }
  | { finding: "matches"; hash: string }
  | { finding: "differs"; hash: string }
  | { finding: "unavailable" };

/** Computes the hash of the received terms, so that the reader accepts exactly what was shown. */
async function checkTerms(contract: Pick<ContractWire, "terms" | "terms_hash">): Promise<TermsCheck> {
  if (!contract.terms || !globalThis.crypto?.subtle) return { finding: "unavailable" };
  const hash = await sha256Of(canonicalJson(contract.terms));
  return { finding: hash === contract.terms_hash ? "matches" : "differs", hash };
}

export function useTermsCheck(contract: ContractWire): TermsCheck {
  const [check, setCheck] = useState<{ of: string; result: TermsCheck } | null>(null);
  const key = `${contract.terms_hash} ${contract.terms_canonical}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds all of the contract that the check reads
  useEffect(() => {
    let current = true;
    void checkTerms(contract)
      .catch((): TermsCheck => ({ finding: "unavailable" }))
      .then((result) => {
        if (current) setCheck({ of: key, result });
      });
    return () => {
      current = false;
    };
  }, [key]);
  return check?.of === key ? check.result : { finding: "computing" };
}
