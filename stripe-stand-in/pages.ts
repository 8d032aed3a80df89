import type Stripe from "stripe";
import { completeSetUp } from "./accounts.ts";
import { expireOverdue, payWithCard } from "./sessions.ts";
import type { ConnectedAccount, World } from "./world.ts";

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);

const page = (title: string, body: string) => `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>body{font:16px/1.5 system-ui;max-width:32rem;margin:3rem auto;padding:0 1rem}
button{font:inherit;padding:.6rem 1.2rem;margin:0 .5rem .5rem 0}small{display:block;margin-top:2rem}</style></head>
<body><main><h1>${title}</h1>${body}<small>Rehearsal: this page stands in for Stripe. No money moves.</small></main></body></html>`;

/** The page on which a customer pays, declines or goes back. */
function checkoutPage(session: Stripe.Checkout.Session, declined: boolean): string {
  const pounds = `£${((session.amount_total ?? 0) / 100).toFixed(2)}`;
  if (session.status !== "open") return page("Checkout", `<p>This checkout session is ${session.status}.</p>`);
  const action = `/c/pay/${session.id}`;
  return page(
    "Checkout",
    `${declined ? '<p role="alert">Your card was declined. Try another card.</p>' : ""}<p>Amount: <strong>${pounds}</strong></p>
<form method="post" action="${action}"><button name="do" value="pay">Pay</button><button name="do" value="decline">Decline</button><button name="do" value="back">Back</button></form>`,
  );
}

/** The page on which the holder of a connected account enters their details. */
function onboardingPage(account: ConnectedAccount, returnUrl: string): string {
  return page(
    "Account set-up",
    `<p>Account ${account.id}</p><form method="post" action="/c/onboard/${account.id}">
<input type="hidden" name="return" value="${escaped(returnUrl)}"><button name="do" value="submit">Submit details</button><button name="do" value="leave">Leave</button></form>`,
  );
}

/** The dashboard of a connected account's holder. */
function dashboardPage(account: ConnectedAccount): string {
  return page("Express dashboard", `<p>Account ${account.id}: balance, payouts and bank details.</p>`);
}

type PageAnswer = { html: string } | { to: string };

/** The answer to opening a page or pressing a button on it: a page or a redirect; undefined if there is no such page. */
export function answerPage(world: World, method: string, url: URL, form: URLSearchParams): PageAnswer | undefined {
  const [, , kind, id = ""] = url.pathname.split("/");
  const pressed = form.get("do");
  expireOverdue(world);
  const session = world.sessions.get(id);
  if (kind === "pay" && session) {
    if (method === "GET" || session.status !== "open")
      return { html: checkoutPage(session, url.searchParams.has("declined")) };
    if (pressed === "back") return { to: session.cancel_url ?? url.pathname };
    const isDeclined = pressed === "decline";
    payWithCard(world, session, isDeclined ? "decline" : "succeed");
    if (isDeclined) return { to: `${url.pathname}?declined` };
    return { to: (session.success_url ?? url.pathname).replaceAll("{CHECKOUT_SESSION_ID}", id) };
  }
  const account = world.accounts.get(id);
  if (kind === "express" && account) return { html: dashboardPage(account) };
  if (kind === "onboard" && account) {
    if (method === "GET") return { html: onboardingPage(account, url.searchParams.get("return") ?? "") };
    if (pressed === "submit") completeSetUp(world, account);
    return { to: form.get("return") || url.pathname };
  }
  return undefined;
}
