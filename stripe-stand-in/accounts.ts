import type Stripe from "stripe";
import { version1, version2 } from "./account-views.ts";
import { endpoint } from "./endpoint.ts";
import { invalid, noAccess } from "./refusal.ts";
import { asMetadata } from "./shapes.ts";
import { type ConnectedAccount, find, type Requirement, type World } from "./world.ts";

type CreateParams = Stripe.V2.Core.AccountCreateParams;

const AT_FIRST = ["identity.individual", "configuration.recipient.default_outbound_destination"];

/** Without Connect or version 2 of the account API, nothing of it can be read either. */
const BLOCKED: ReadonlySet<string | null> = new Set([
  "accounts_v2_access_blocked",
  "non_connect_platform_accounts_v2_access_blocked",
]);

/** @throws Refusal 400 while the platform's Connect set-up is incomplete */
function refuseUnready(world: World, within?: ReadonlySet<string | null>): void {
  const { connectRefusal } = world.platform;
  if (connectRefusal && (!within || within.has(connectRefusal)))
    throw invalid(connectRefusal, "The platform's Connect set-up is incomplete.");
}

function create(world: World, params: CreateParams): ConnectedAccount {
  refuseUnready(world);
  const requested = params.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.requested;
  if (!requested) throw invalid("stand_in_unmodelled", "The stand-in imitates recipients of transfers only.");
  const responsibilities = params.defaults?.responsibilities;
  if (!params.dashboard || !responsibilities)
    throw invalid("invalid_fields", "A recipient needs dashboard and defaults.responsibilities.");
  // A name under which no address can exist.
  if (params.contact_email?.endsWith(".invalid")) throw invalid("email_invalid", "The email address is invalid.");
  const account = newAccount(world, 2);
  account.contactEmail = params.contact_email;
  account.displayName = params.display_name;
  account.country = params.identity?.country ?? "GB";
  account.dashboard = params.dashboard;
  account.responsibilities = { ...responsibilities, requirements_collector: "stripe" };
  account.metadata = asMetadata(params.metadata);
  world.emitThin("v2.core.account.created", account.id);
  return account;
}

/** An account that cannot receive money yet. */
export function newAccount(world: World, version: 1 | 2): ConnectedAccount {
  const account: ConnectedAccount = {
    id: world.id("acct"),
    version,
    createdMs: world.nowMs(),
    transfers: "restricted",
    payouts: "restricted",
    requirements: AT_FIRST.map((description) => ({ description, status: "currently_due" })),
    collects: "currently_due",
    verified: false,
    closed: false,
    contactEmail: undefined,
    displayName: undefined,
    country: "GB",
    dashboard: "express",
    responsibilities: {
      fees_collector: "application",
      losses_collector: "application",
      requirements_collector: "stripe",
    },
    metadata: {},
  };
  world.accounts.set(account.id, account);
  return account;
}

/** Changes an account, and notifies the platform with the events of the account's own API version. */
export function changeAccount(world: World, account: ConnectedAccount, to: Partial<ConnectedAccount>): void {
  Object.assign(account, to);
  if (account.version === 1) world.emit("account.updated", version1(account), account.id);
  else {
    world.emitThin("v2.core.account[requirements].updated", account.id);
    world.emitThin("v2.core.account[configuration.recipient].capability_status_updated", account.id);
  }
}

/** The holder has given all details: transfers and payouts are active, and nothing more is required. */
export function activate(world: World, account: ConnectedAccount): void {
  changeAccount(world, account, { transfers: "active", payouts: "active", requirements: [], verified: true });
}

const STOPPED = { transfers: "restricted", payouts: "restricted" } as const;

/** Stripe requires something from the holder; if it is past due, transfers and payouts stop. */
export function requireDetails(
  world: World,
  account: ConnectedAccount,
  description: string,
  status: Requirement["status"] = "currently_due",
  awaiting?: "stripe",
): void {
  const required = { description, status, ...(awaiting ? { awaiting } : {}) };
  changeAccount(world, account, {
    requirements: [...account.requirements, required],
    ...(status === "past_due" ? STOPPED : {}),
  });
}

/** Stops transfers and payouts without requiring anything. */
export function restrict(world: World, account: ConnectedAccount): void {
  changeAccount(world, account, STOPPED);
}

/** The account ends, with its payouts and transfers. */
export function closeAccount(world: World, account: ConnectedAccount): void {
  changeAccount(world, account, { closed: true, ...STOPPED });
}

/** The holder gives its money another bank account. */
export function changeBank(world: World, { id: account }: ConnectedAccount): void {
  world.emit("account.external_account.created", { id: world.id("ba"), object: "bank_account", account }, account);
}

/** The holder disconnects from the platform, which can no longer read the account. */
export function deauthorize(world: World, { id }: ConnectedAccount): void {
  world.accounts.delete(id);
  world.emit("account.application.deauthorized", { id: world.id("ca"), object: "application" }, id);
}

/** The holder answers what the set-up link collects. */
export function completeSetUp(world: World, account: ConnectedAccount): void {
  const later = account.requirements.filter(({ status }) => status === "eventually_due");
  activate(world, account);
  if (account.collects === "currently_due") account.requirements = later;
}

function link(world: World, params: Stripe.V2.Core.AccountLinkCreateParams): Stripe.V2.Core.AccountLink {
  const account = find(world.accounts, "account", params.account);
  const onboarding = params.use_case.account_onboarding;
  if (params.use_case.type !== "account_onboarding" || !onboarding)
    throw invalid("stand_in_unmodelled", "The stand-in imitates account_onboarding only.", "use_case");
  if (!onboarding.refresh_url) throw invalid("invalid_fields", "use_case.account_onboarding.refresh_url is required.");
  account.collects = onboarding.collection_options?.fields === "eventually_due" ? "eventually_due" : "currently_due";
  const back = onboarding.return_url ? `?return=${encodeURIComponent(onboarding.return_url)}` : "";
  return {
    object: "v2.core.account_link",
    account: account.id,
    created: new Date(world.nowMs()).toISOString(),
    expires_at: new Date(world.nowMs() + 300_000).toISOString(),
    livemode: world.livemode,
    url: `${world.options.baseUrl()}/c/onboard/${account.id}${back}`,
    use_case: params.use_case,
  };
}

export const accountEndpoints = [
  endpoint<CreateParams>("POST", "/v2/core/accounts", ({ world }, params) =>
    version2(world, create(world, params), params.include),
  ),
  endpoint<Stripe.V2.Core.AccountRetrieveParams>("GET", "/v2/core/accounts/:id", ({ world, id }, params) => {
    refuseUnready(world, BLOCKED);
    const account = find(world.accounts, "account", id);
    if (account.version === 1)
      throw invalid("v1_account_instead_of_v2_account", "Accounts of version 1 are read through /v1/accounts.");
    return version2(world, account, params.include);
  }),
  endpoint<Stripe.V2.Core.AccountListParams & { page?: string }>("GET", "/v2/core/accounts", ({ world }, params) => {
    refuseUnready(world, BLOCKED);
    const { limit = 10 } = params;
    const from = Number(params.page ?? 0);
    // Unless they are asked for, closed ones are left out.
    const isListed = ({ version, closed }: ConnectedAccount) => version === 2 && closed === (params.closed ?? false);
    const all = [...world.accounts.values()].filter(isListed).reverse();
    const next = from + limit;
    const closed = params.closed === undefined ? "" : `&closed=${params.closed}`;
    return {
      data: all.slice(from, next).map((account) => version2(world, account)),
      next_page_url: all.length > next ? `/v2/core/accounts?limit=${limit}&page=${next}${closed}` : null,
      previous_page_url: null,
    };
  }),
  endpoint<Stripe.V2.Core.AccountLinkCreateParams>("POST", "/v2/core/account_links", ({ world }, params) =>
    link(world, params),
  ),
  // Accounts of both versions, as long as their dashboard is Stripe's Express.
  endpoint("POST", "/v1/accounts/:id/login_links", ({ world, id }) => {
    const account = world.accounts.get(id);
    if (!account) throw noAccess(id);
    if (account.dashboard !== "express")
      throw invalid("account_invalid", "Login links need an account with the Express Dashboard.");
    if (!account.verified)
      throw invalid(
        "account_onboarding_incomplete",
        "Cannot create a login link for an account that has not completed onboarding.",
      );
    const created = Math.floor(world.nowMs() / 1000);
    const url = `${world.options.baseUrl()}/c/express/${account.id}`;
    return { object: "login_link", created, url } satisfies Stripe.LoginLink;
  }),
  endpoint("GET", "/v1/accounts/:id", ({ world, id }) => {
    const account = world.accounts.get(id);
    if (!account) throw noAccess(id);
    return version1(account);
  }),
];
