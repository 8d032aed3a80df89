import { prisma } from "#lib/db/client.ts";
import type { StripeBinding } from "#lib/db/generated/client.ts";
import { env } from "#lib/kernel/env.ts";
import { everyCall, type LiveGateway, ProcessorError } from "./port.ts";

// All LIVE records of a database belong to one account at Stripe, and to one of its modes. With a key of another, payments by test
// cards would count as real money, and every ID would name nothing.

/** Of a key: the account, once Stripe has said which it is, and the mode. */
type Bound = { accountId: string | null; livemode: boolean };

const ROW = { id: 1 };

/** The account to which the records belong; null before Stripe was called at all. */
export function readBinding(): Promise<StripeBinding | null> {
  return prisma().stripeBinding.findUnique({ where: ROW });
}

/** The mode of the configured key. A rehearsal is the only place for test keys. */
export const isLivemode = () => env().stripe?.rehearsal === false;

export const inWords = ({ accountId, livemode }: Bound) =>
  `Stripe account ${accountId ?? "(unknown)"} in ${livemode ? "live" : "test"} mode`;

/** What is wrong if the key is of another account or mode than the records; undefined if it is of the same. Pure. */
export function bindingProblem(records: Bound | null, key: Bound): string | undefined {
  if (!records) return undefined;
  const isSameAccount = !records.accountId || !key.accountId || records.accountId === key.accountId;
  if (records.livemode === key.livemode && isSameAccount) return undefined;
  return `The LIVE records of this database belong to ${inWords(records)}, but STRIPE_SECRET_KEY is of ${inWords(key)}.`;
}

export const BINDING_REMEDY =
  "Set the key of the account that the records belong to, or use a new database. To go from a rehearsal to real money with the same database, see forget-rehearsal in docs/payments.md.";

/** The code of a call that was not made, because the key is of another account or mode than the records. */
export const OTHER_ACCOUNT = "other_account";

/** These read how the platform is set up, and concern no record. */
const UNBOUND: ReadonlySet<string> = new Set<keyof LiveGateway>(["readOwnAccount", "readPlatform"]);

/**
 * The same gateway, which makes a call only if the key is of the account and mode that the records belong to. The first call records
 * them. The row is read before every call, because `forget-rehearsal` may have removed it; the account is read once.
 */
export function bound(gateway: LiveGateway): LiveGateway {
  let accountId: string | undefined;
  const check = async () => {
    accountId ??= await gateway.readOwnAccount();
    const key = { accountId, livemode: isLivemode() };
    const known = await readBinding();
    const problem = bindingProblem(known?.accountId ? known : await bind(key), key);
    if (problem) throw new ProcessorError("misconfigured", OTHER_ACCOUNT, problem);
  };
  return everyCall(gateway, async (name, call) => {
    if (!UNBOUND.has(name)) await check();
    return call();
  });
}

/** Records the account, if none is recorded yet. What was begun before this first call belongs to it. @returns the recorded one */
async function bind({ accountId, livemode }: Bound): Promise<StripeBinding | null> {
  await prisma().$executeRaw`
    INSERT INTO stripe_bindings (id, account_id, livemode, bound_at)
    VALUES (1, ${accountId}, ${livemode}, coalesce((SELECT min(created_at) FROM payment_accounts), ${new Date()}))
    ON CONFLICT (id) DO UPDATE SET account_id = excluded.account_id
    WHERE stripe_bindings.account_id IS NULL AND stripe_bindings.livemode = excluded.livemode`;
  return readBinding();
}
