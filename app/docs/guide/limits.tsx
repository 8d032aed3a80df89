import { Anchored } from "#components/reference/endpoint-entry.tsx";

export type LimitDoc = { name: string; calls: number | null; seconds: number; per: string };

const SPANS: Record<number, string> = { 60: "minute", 900: "15 minutes", 3600: "hour" };

const MEANING: Record<string, string> = {
  public_read: "Public reads",
  service_read: "Reads with a credential",
  service_write: "Writes with a credential",
  heartbeat: "Health reports",
  inbox_refresh: "Inbox refreshes, that is calls without a cursor",
  registration: "Registrations",
  account_registration: "New owner accounts",
  sign_in_failure: "Failed sign-ins",
  sign_in_account: "Failed sign-ins before further attempts have to wait",
  sign_in_device: "Failed sign-ins on a device that has signed in before",
  export: "Exports of an owner's data",
  claim: "Claim previews and claims",
  domain_check: "Domain checks",
};

/** The rate limits that are in force here and now. */
export function Limits({ limits }: { limits: readonly LimitDoc[] }) {
  return (
    <div className="prose">
      <Anchored large id="limits">
        Limits
      </Anchored>
      <p>
        <code>RateLimit-Policy</code> and <code>RateLimit</code> on each answer say where the caller stands. Beyond the
        limit comes 429 with <code>Retry-After</code>, in seconds, after which the call is admitted. Poll the inbox no
        more than once every 15 seconds, and wait longer after errors.
      </p>
      <table className="w-full border-rule border-t">
        <caption className="sr-only">Rate limits in force</caption>
        <thead>
          <tr className="border-rule border-b text-13 text-muted">
            <th scope="col" className="py-1 pe-4 font-normal">
              What
            </th>
            <th scope="col" className="py-1 pe-4 font-normal">
              At most
            </th>
            <th scope="col" className="py-1 font-normal">
              Counted by
            </th>
          </tr>
        </thead>
        <tbody>
          {limits.map(({ name, calls, seconds, per }) => (
            <tr key={name} className="border-rule border-b align-top">
              <th scope="row" className="py-1.5 pe-4 font-normal">
                {MEANING[name] ?? name}
              </th>
              <td className="py-1.5 pe-4">
                {calls === null ? "Not limited" : `${calls} per ${SPANS[seconds] ?? `${seconds} s`}`}
              </td>
              <td className="py-1.5">{per.replaceAll("_", " ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
