import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { HostStanding } from "#lib/admin/pages/hosts.ts";

const RISK = { low: "Low risk", normal: "Normal risk", high: "High risk" } as const;

/** The decisions about a host, in words. */
export function HostWords({ host: { heldAt, risk, riskSource } }: { host: HostStanding }) {
  if (!heldAt && !risk) return "No decision yet";
  return (
    <>
      {heldAt ? (
        <>
          Held since <Timestamp at={heldAt} form="exact" />
        </>
      ) : null}
      {heldAt && risk ? "; " : null}
      {risk ? (
        <>
          {RISK[risk]},{" "}
          {riskSource === "suspension" ? "because an identity on it is suspended" : "set by an administrator"}
        </>
      ) : null}
    </>
  );
}
