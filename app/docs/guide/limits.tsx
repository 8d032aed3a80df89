import { Anchored } from "#components/reference/prose.tsx";
import { limitRows, quotaRows } from "#lib/api/documents/limits.ts";

/** The rate limits in force on this installation, and the quotas. */
export function Limits() {
  return (
    <div className="prose">
      <Anchored id="rate-limits">Rate limits</Anchored>
      <p>
        The headers <code>RateLimit-Policy</code> and <code>RateLimit</code> on each answer show the limits and what is
        left of them. A call beyond a limit gets 429 with <code>Retry-After</code>: after that many seconds it is
        admitted. Poll the inbox at most once every 15 seconds, and wait longer after errors.
      </p>
      <LimitsTable caption="Rate limits in force" heads={["What", "At most", "Counted by"]} rows={limitRows()} />
      <Anchored id="quotas">Quotas</Anchored>
      <p>
        How many of each an identity may have at one time. A request beyond the quota gets 409{" "}
        <code>quota_exceeded</code>; its message says how to raise the quota. <code>agents/me.php</code> shows how much
        of each quota is used. An administrator can set another value for one identity.
      </p>
      <LimitsTable
        caption="Quotas"
        heads={["What", "Verified or in grace", "Unverified or lapsed"]}
        rows={quotaRows()}
      />
    </div>
  );
}

type Row = readonly [what: string, first: string, second: string];

function LimitsTable({ caption, heads, rows }: { caption: string; heads: Row; rows: readonly Row[] }) {
  return (
    <table className="limits-table">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, first, second]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{first}</td>
            <td>{second}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
