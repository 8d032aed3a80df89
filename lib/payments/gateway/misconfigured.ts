import { prisma } from "#lib/db/client.ts";
import { log } from "#lib/kernel/log.ts";
import { BINDING_REMEDY, OTHER_ACCOUNT } from "./binding.ts";
import { everyCall, type LiveGateway, ProcessorError } from "./port.ts";
import { BAD_ADDRESS, creationRemedy } from "./set-up-refusals.ts";

/** After a call has succeeded, its earlier misconfiguration is resolved, at most this often. */
const RESOLVE_MS = 60_000;

/**
 * The same gateway, which records as an open difference every call that Stripe refuses because of our key, and every account that it
 * refuses to create because of the platform's set-up, until that call succeeds. Administrators see it with the differences of the
 * reconciliation.
 */
export function reportingMisconfiguration(gateway: LiveGateway): LiveGateway {
  const resolvedAt = new Map<string, number>();
  return everyCall(gateway, async (name, call) => {
    try {
      const result = await call();
      if (Date.now() - (resolvedAt.get(name) ?? 0) > RESOLVE_MS) {
        resolvedAt.set(name, Date.now());
        await resolve(name);
      }
      return result;
    } catch (error) {
      const finding = error instanceof ProcessorError && findingOf(name, error);
      if (finding) {
        resolvedAt.delete(name);
        await report(name, error, finding);
      }
      throw error;
    }
  });
}

type Found = { kind: "misconfigured" | "account_creation"; books: string; stripe: string; remedy: string };

/** What the operator reads about a refused call; undefined if it is not about the key or the platform. */
function findingOf(name: string, { kind, code, message }: ProcessorError): Found | undefined {
  const stripe = code === OTHER_ACCOUNT ? message : `refused (${code})`;
  if (kind === "misconfigured")
    return {
      kind: "misconfigured",
      books: "held until Stripe accepts the key",
      stripe,
      remedy:
        code === OTHER_ACCOUNT
          ? BINDING_REMEDY
          : "Check STRIPE_SECRET_KEY and the rights of that key with npm run admin -- stripe-check. Held work continues automatically.",
    };
  const isAboutPlatform = kind === "refused" && name === "openAccount" && !BAD_ADDRESS.has(code);
  return isAboutPlatform
    ? { kind: "account_creation", books: "a provider wants to be paid", stripe, remedy: creationRemedy(code) }
    : undefined;
}

async function report(name: string, { code, message }: ProcessorError, found: Found): Promise<void> {
  log().error({ call: name, code, err: message }, "Stripe refuses a call because of the key or the platform's set-up");
  const now = new Date();
  await prisma().$executeRaw`
    INSERT INTO differences (kind, subject_id, books, stripe, remedy, found_at, seen_at)
    VALUES (${found.kind}, ${name}, ${found.books}, ${found.stripe}, ${found.remedy}, ${now}, ${now})
    ON CONFLICT (kind, subject_id) WHERE resolved_at IS NULL
    DO UPDATE SET stripe = excluded.stripe, remedy = excluded.remedy, seen_at = excluded.seen_at`;
}

async function resolve(name: string): Promise<void> {
  await prisma().$executeRaw`
    UPDATE differences SET resolved_at = ${new Date()}
    WHERE kind IN ('misconfigured', 'account_creation') AND subject_id = ${name} AND resolved_at IS NULL`;
}
