import type { StripeStandIn } from "#stripe-stand-in/stand-in.ts";
import { pounds } from "../pounds.ts";
import { type Agent, nameOf, publishOffer, setUpAgent } from "./agents.ts";
import type { Certificates } from "./certificates.ts";
import { type Host, openHosts } from "./hosts.ts";
import { fundByCard, readyForMoney, settle, workOn } from "./live-steps.ts";
import type { Narrator } from "./narrator.ts";
import { type OwnService, startOwnService } from "./service.ts";

type Stage = {
  certificates: Certificates;
  folder: string;
  /** The requester's domain and the provider's. */
  names: [string, string];
  narrator: Narrator;
  interrupted: { promise: Promise<unknown> };
  /** Gets a function for everything that is opened here and must be closed at the end. */
  closers: (() => unknown)[];
};

const PRICE_PENCE = 2_500;
const SECRETS = {
  platform: "whsec_rehearsal_platform",
  connect: "whsec_rehearsal_connect",
  accounts: "whsec_rehearsal_accounts",
};

/**
 * Rehearses LIVE against a stand-in for Stripe on this machine: no money moves. The domains are verified in TEST, where the service
 * may know names that exist on this machine only; then the service starts again, on the same data, with LIVE.
 * @throws GuildhallError or Error for anything that should not happen
 */
export async function rehearseLive(stage: Stage): Promise<void> {
  const { narrator, certificates, folder, names, interrupted, closers } = stage;
  const { say } = narrator;
  say("REHEARSAL: the card, the bank and Stripe are simulated on this machine. No money moves.\n");
  const hosts = await openHosts(certificates, names);
  for (const host of hosts) closers.push(() => host.close());
  say("Starting the demo's own service, in TEST (the first start builds the pages, which takes a minute or two)");
  const { caFile } = certificates;
  let service = await startOwnService(folder, { hosts, caFile }, interrupted.promise, say);
  closers.push(() => service.close());
  const agents = await orFailure(service, () => setUpAgents(service.baseUrl, hosts, narrator));

  const stripe = await openStripe(service.baseUrl);
  closers.push(() => stripe.close());
  say("\nStarting the service again on the same data, now with LIVE, as a rehearsal");
  service = await service.restart({
    PAYMENT_MODE: "LIVE",
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: SECRETS.platform,
    STRIPE_CONNECT_WEBHOOK_SECRET: `${SECRETS.connect},${SECRETS.accounts}`,
    STRIPE_REHEARSAL: "1",
    LIVE_TRANSFER_DELAY_DAYS: "0",
    STRIPE_API_BASE: `http://127.0.0.1:${stripe.port}`,
  });
  await orFailure(service, () => playLive(agents, stripe, narrator));
}

/** The result of `work`. @throws Error if the service ends first */
function orFailure<Result>(service: OwnService, work: () => Promise<Result>): Promise<Result> {
  return Promise.race([work(), service.failed]);
}

type Agents = { requester: Agent; provider: Agent; names: [string, string] };

async function setUpAgents(baseUrl: string, [alpha, beta]: [Host, Host], narrator: Narrator): Promise<Agents> {
  const reading = { name: "Alpha Reading Room", description: "Has texts counted." };
  const counting = { name: "Beta Word Counters", description: "Counts the words of a text." };
  const requester = await setUpAgent(baseUrl, alpha, reading, narrator);
  const provider = await setUpAgent(baseUrl, beta, counting, narrator);
  await publishOffer(provider, beta, PRICE_PENCE, narrator);
  return { requester, provider, names: [nameOf(alpha), nameOf(beta)] };
}

/** Events arrive up to three times each and out of order, as Stripe's may. */
async function openStripe(baseUrl: string): Promise<StripeStandIn> {
  const { StripeStandIn } = await import("#stripe-stand-in/stand-in.ts");
  return StripeStandIn.start({
    livemode: false,
    delivery: { copies: 3, reorder: true, retries: 5, delayMs: [1, 20] },
    endpoints: {
      platform: { url: `${baseUrl}/api/v1/payments/webhook.php`, secret: SECRETS.platform },
      connect: { url: `${baseUrl}/api/v1/payments/webhook_connect.php`, secret: SECRETS.connect },
      accounts: { url: `${baseUrl}/api/v1/payments/webhook_connect.php`, secret: SECRETS.accounts },
    },
  });
}

async function playLive({ requester, provider, names }: Agents, stripe: StripeStandIn, narrator: Narrator) {
  const [alpha, beta] = [narrator.as(names[0]), narrator.as(names[1])];
  const act = { requester, provider, alpha, beta, as: narrator.as, stripe, pricePence: PRICE_PENCE };
  await readyForMoney(act);
  const contract = await fundByCard(act);
  await workOn(act, contract);
  const settlement = await settle(act, contract);

  const { say } = narrator;
  const row = (name: string, text: string) => say(`  ${name.padEnd(12)}${text}`);
  say(`\nSettlement ${settlement.settlement_id}: ${settlement.state}, LIVE in rehearsal. No money has moved.`);
  row("gross", pounds(settlement.gross_pence));
  row("fee", pounds(settlement.fee_pence));
  row("net", pounds(settlement.net_pence));
  row("funding", settlement.funding);
  row("transfer", settlement.transfer);
  row("payout", settlement.payout);
  const { intents, transfers, accounts } = stripe.books();
  const sum = (amounts: number[]) => pounds(amounts.reduce((total, pence) => total + pence, 0));
  say("\nThe stand-in's books");
  row("charged", sum(intents.map(({ chargedPence }) => chargedPence)));
  row("transferred", sum(transfers.map(({ sentPence }) => sentPence)));
  row("paid out", sum(accounts.map(({ paidOutPence }) => paidOutPence)));
  say("\nEverything worked. This was a rehearsal.");
}
