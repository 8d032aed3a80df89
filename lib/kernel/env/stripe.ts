/** What LIVE needs to know about Stripe. */
export type StripeEnv = {
  secretKey: string;
  /** Any of these may sign what is sent to the platform's webhook address: one per event destination, or two while one is replaced. */
  webhookSecrets: string[];
  /** The same for the webhook address of connected accounts. */
  connectWebhookSecrets: string[];
  /** Only test money moves: a test key, and a processor that may be a stand-in. */
  rehearsal: boolean;
  /** Where the stand-in answers; undefined is the processor itself. */
  apiBase: { protocol: "http" | "https"; host: string; port: number } | undefined;
};

type Variables = {
  PAYMENT_MODE: "TEST" | "LIVE";
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRET?: string | undefined;
  STRIPE_CONNECT_WEBHOOK_SECRET?: string | undefined;
  STRIPE_REHEARSAL?: string | undefined;
  STRIPE_API_BASE?: string | undefined;
};

const SECRETS = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_CONNECT_WEBHOOK_SECRET"] as const;
const KEY = /^[sr]k_(live|test)_\S+$/;

/**
 * LIVE is available only if it is configured completely: `problems` names every variable that is missing or wrong. It never
 * contains a value, because the lines end up in logs.
 */
export function readStripeEnv(vars: Variables): { stripe: StripeEnv | undefined; problems: string[] } {
  const live = vars.PAYMENT_MODE === "LIVE";
  const rehearsal = vars.STRIPE_REHEARSAL === "1";
  const key = vars.STRIPE_SECRET_KEY;
  const kind = key && KEY.exec(key)?.[1];
  const [webhookSecrets, connectWebhookSecrets] = [vars.STRIPE_WEBHOOK_SECRET, vars.STRIPE_CONNECT_WEBHOOK_SECRET].map(
    listOf,
  ) as [string[], string[]];
  const present = {
    STRIPE_SECRET_KEY: Boolean(key),
    STRIPE_WEBHOOK_SECRET: webhookSecrets.length > 0,
    STRIPE_CONNECT_WEBHOOK_SECRET: connectWebhookSecrets.length > 0,
  };
  const problems: string[] = [];
  if (live)
    for (const name of SECRETS)
      if (!present[name]) problems.push(`${name} is missing: PAYMENT_MODE=LIVE needs ${SECRETS.join(", ")}.`);
  if (key && !kind)
    problems.push("STRIPE_SECRET_KEY must begin with sk_live_, rk_live_, sk_test_ or rk_test_ and be one word.");
  if (!live && kind === "live")
    problems.push(
      "STRIPE_SECRET_KEY is a live key, but PAYMENT_MODE is not LIVE: set PAYMENT_MODE=LIVE, or remove the key.",
    );
  if (live && kind === "test" && !rehearsal)
    problems.push("STRIPE_SECRET_KEY is a test key in LIVE: use a live key, or set STRIPE_REHEARSAL=1.");
  if (live && kind === "live" && rehearsal)
    problems.push("STRIPE_SECRET_KEY is a live key, but STRIPE_REHEARSAL is set: use a test key.");
  if (vars.STRIPE_API_BASE && !rehearsal)
    problems.push("STRIPE_API_BASE is only for rehearsals: set STRIPE_REHEARSAL=1 as well, or remove STRIPE_API_BASE.");
  if (!live || problems.length > 0 || !key) return { stripe: undefined, problems };
  return {
    stripe: {
      secretKey: key,
      webhookSecrets,
      connectWebhookSecrets,
      rehearsal,
      apiBase: vars.STRIPE_API_BASE ? addressOf(new URL(vars.STRIPE_API_BASE)) : undefined,
    },
    problems,
  };
}

/** The values of a variable that holds several, separated by commas. */
function listOf(text = ""): string[] {
  return text.split(",").flatMap((value) => value.trim() || []);
}

function addressOf(url: URL): NonNullable<StripeEnv["apiBase"]> {
  const protocol = url.protocol === "http:" ? "http" : "https";
  return { protocol, host: url.hostname, port: Number(url.port) || (protocol === "http" ? 80 : 443) };
}
