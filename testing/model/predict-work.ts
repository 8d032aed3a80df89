import { knownLosses, paidPayment, refundable, showTransfers } from "./books.ts";
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
    for (const task of world.tasks) returnOrdered(task);
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
    const isNew = payment.status !== "succeeded";
    payment.status = "succeeded";
    if (task.settlement) task.settlement.funding = "confirmed";
    const isLost = payment.contested === "open" || payment.contested === "lost";
    const disputedPence = isLost ? payment.contestedPence : 0;
    // A chargeback that was won no longer blocks the transfer.
    if (task.settlement && disputedPence < payment.known.disputedPence) task.settlement.woken = true;
    payment.known = { refundedPence: payment.refundedPence, disputedPence };
    if (isNew && task.settlement?.returns) returnPayment(task);
  } else if (payment.checkout === "expired" && payment.status === "pending") {
    payment.status = "expired";
    if (task.settlement) task.settlement.funding = "required";
  }
}

/** Stripe is asked first what has happened; then the refund is made, unless it is not possible there. */
export function makeRefund(task: ModelTask, pence: number): void {
  const payment = paidPayment(task);
  if (!payment || pence === 0) return;
  if (task.mode === "LIVE") readPayment(task, payment);
  const isPossible = task.mode === "TEST" || (payment.contested === "never" && refundable(task) >= pence);
  if (!isPossible) {
    // The order has failed, so it no longer holds the transfer.
    if (task.settlement) task.settlement.woken = true;
    return;
  }
  payment.refundedPence += pence;
  payment.known = { ...payment.known, refundedPence: payment.refundedPence };
  if (task.mode === "LIVE") payment.news.sent = true;
}

/** Work was given up: what is left of its payment is refunded, unless the payer's bank disputes it. */
export function returnPayment(task: ModelTask): void {
  const { settlement } = task;
  if (!settlement) return;
  settlement.returns = true;
  const pence = knownLosses(task).disputedPence > 0 ? 0 : refundable(task);
  if (task.mode === "LIVE") settlement.returningPence = pence;
  else makeRefund(task, pence);
}

function returnOrdered(task: ModelTask): void {
  const { settlement } = task;
  if (!settlement) return;
  const pence = settlement.returningPence;
  settlement.returningPence = 0;
  makeRefund(task, pence);
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
