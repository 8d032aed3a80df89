import { showTransfers } from "./books.ts";
import { does, type Rule } from "./effect.ts";
import { isHeldBack } from "./rules.ts";
import { AGENTS, learnAccount, type ModelPayment, type ModelTask, type News, type World } from "./world.ts";

// How the service learns what has happened at Stripe, and what it does in the background.

function allNews(world: World): News[] {
  const accounts = AGENTS.flatMap((who) => world.agents[who].account ?? []);
  const payments = world.tasks.flatMap((task) => task.payments);
  return [...accounts, ...payments].map(({ news }) => news);
}

export function hasNews(world: World, how: keyof News): boolean {
  return allNews(world).some((news) => news[how]);
}

const deliver: Rule = (world) =>
  does(() => {
    for (const news of allNews(world)) if (news.sent) Object.assign(news, { sent: false, delivered: true });
  });

/** Processes everything that was delivered, once. @returns whether there was anything */
function lookInto({ news }: { news: News }): boolean {
  const hasCome = news.delivered;
  news.delivered = false;
  return hasCome;
}

const work: Rule = (world) =>
  does(() => {
    for (const who of AGENTS) {
      const { account } = world.agents[who];
      if (account && lookInto(account)) learnAccount(world, who);
    }
    for (const task of world.tasks) for (const payment of task.payments) workOn(task, payment);
    for (let task = nextToPassOn(world); task; task = nextToPassOn(world)) passOn(world, task);
  });

/** Reads a payment that has news. An abandoned checkout is closed first, unless it was paid. */
function workOn(task: ModelTask, payment: ModelPayment): void {
  if (payment.closing && payment.checkout === "open") {
    payment.checkout = "expired";
    payment.news.sent = true;
  }
  const isLookedInto = lookInto(payment) || payment.closing;
  payment.closing = false;
  if (isLookedInto) readPayment(task, payment);
}

/** Records the payment as Stripe has it. */
export function readPayment(task: ModelTask, payment: ModelPayment): void {
  if (payment.checkout === "paid") {
    payment.status = "succeeded";
    if (task.settlement) task.settlement.funding = "confirmed";
    const isLost = payment.contested === "open" || payment.contested === "lost";
    const disputedPence = isLost ? payment.contestedPence : 0;
    // A chargeback that was won no longer blocks the transfer.
    if (task.settlement && disputedPence < payment.known.disputedPence) task.settlement.woken = true;
    payment.known = { refundedPence: payment.refundedPence, disputedPence };
  } else if (payment.checkout === "expired" && payment.status === "pending") {
    payment.status = "expired";
    if (task.settlement) task.settlement.funding = "required";
  }
}

function nextToPassOn({ tasks }: World): ModelTask | undefined {
  return tasks.find(({ settlement }) => settlement?.transfer === "queued" && settlement.woken);
}

/** If nothing known blocks a transfer, account and payment are read again before the money is sent. */
function passOn(world: World, task: ModelTask): void {
  const { settlement, provider } = task;
  if (!settlement || !provider) return;
  settlement.woken = false;
  const { account } = world.agents[provider];
  if (!account || isHeldBack(world, task)) return;
  // An account that was not ready recently is not read again so soon.
  if (account.known) learnAccount(world, provider);
  for (const payment of task.payments) if (payment.status === "succeeded") readPayment(task, payment);
  if (isHeldBack(world, task) || !account.known) return;
  if (!settlement.open) return;
  settlement.sent.push({ pence: settlement.open.pence, reversedPence: 0 });
  settlement.open = null;
  showTransfers(settlement);
}

/** Tasks past their expiry count as expired before that is recorded. */
const sweep: Rule = () => does();

export const WORK_RULES = { deliver, work, sweep };
