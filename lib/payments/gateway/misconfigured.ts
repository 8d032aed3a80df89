import { prisma } from "#lib/db/client.ts";
import { log } from "#lib/kernel/log.ts";
import { BINDING_REMEDY, OTHER_ACCOUNT } from "./binding.ts";
import { type LiveGateway, ProcessorError } from "./port.ts";

/** After a call has succeeded, its earlier misconfiguration is resolved, at most this often. */
const RESOLVE_MS = 60_000;

type Call = (...args: unknown[]) => Promise<unknown>;

/**
 * The same gateway, which records as an open difference every call that Stripe refuses because of our key, until that call succeeds.
 * Administrators see it with the differences of the reconciliation.
 */
export function reportingMisconfiguration(gateway: LiveGateway): LiveGateway {
  const resolvedAt = new Map<string, number>();
  const reporting =
    (name: string, call: Call): Call =>
    async (...args) => {
      try {
        const result = await call(...args);
        if (Date.now() - (resolvedAt.get(name) ?? 0) > RESOLVE_MS) {
          resolvedAt.set(name, Date.now());
          await resolve(name);
        }
        return result;
      } catch (error) {
        if (error instanceof ProcessorError && error.kind === "misconfigured") {
          resolvedAt.delete(name);
          await report(name, error);
        }
        throw error;
      }
    };
  const calls = Object.entries(gateway).map(([name, call]) => [name, reporting(name, call as Call)]);
  return Object.fromEntries(calls) as LiveGateway;
}

async function report(name: string, { code, message }: ProcessorError): Promise<void> {
  log().error({ call: name, code, err: message }, "Stripe does not accept the configured key");
  const now = new Date();
  const isOther = code === OTHER_ACCOUNT;
  const stripe = isOther ? message : `refused (${code})`;
  const remedy = isOther
    ? BINDING_REMEDY
    : "Check STRIPE_SECRET_KEY and the rights of that key with npm run admin -- stripe-check. Held work continues automatically.";
  await prisma().$executeRaw`
    INSERT INTO differences (kind, subject_id, books, stripe, remedy, found_at, seen_at)
    VALUES ('misconfigured', ${name}, 'held until Stripe accepts the key', ${stripe}, ${remedy}, ${now}, ${now})
    ON CONFLICT (kind, subject_id) WHERE resolved_at IS NULL
    DO UPDATE SET stripe = excluded.stripe, seen_at = excluded.seen_at`;
}

async function resolve(name: string): Promise<void> {
  await prisma().$executeRaw`
    UPDATE differences SET resolved_at = ${new Date()}
    WHERE kind = 'misconfigured' AND subject_id = ${name} AND resolved_at IS NULL`;
}
