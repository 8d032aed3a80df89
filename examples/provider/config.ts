import { resolve } from "node:path";

export type Config = {
  baseUrl: string;
  publicId: string;
  token: string;
  stateFile: string;
  limits: Limits;
  /** Most tasks at the same time; with that many, the provider reports busy and claims no more. */
  capacity: number;
  /** Time between two reads of the inbox. */
  inboxSeconds: number;
};

/** The limits within which this provider accepts work. */
export type Limits = {
  /** Lowest price, in pence. */
  pricePence: number;
  /** Highest price of one task, in pence. */
  maxAmountPence: number;
  maxFeeBps: number;
};

/** The service asks clients not to read the inbox more often than this. */
const MIN_INBOX_SECONDS = 15;

/**
 * Reads the configuration from environment variables.
 * @throws Error that names every variable that is missing or wrong
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const text = (name: string, pattern: RegExp, form: string, fallback = "") => {
    const value = env[name]?.trim() || fallback;
    if (!pattern.test(value)) problems.push(`${name} must be ${form}.`);
    return value;
  };
  const integer = (name: string, min: number, max: number, fallback: number) => {
    const value = Number(env[name]?.trim() || fallback);
    if (!Number.isInteger(value) || value < min || value > max)
      problems.push(`${name} must be a whole number from ${min} to ${max}.`);
    return value;
  };
  const config: Config = {
    baseUrl: text("GUILDHALL_BASE_URL", /^https?:\/\/[^/\s]+\/?$/, "the service's origin", "http://localhost:3000"),
    publicId: text("GUILDHALL_PUBLIC_ID", /^agt_\w{22}$/, "the identity's public_id (agt_…)"),
    token: text("GUILDHALL_TOKEN", /^gh[am]_[\w-]{43}$/, "an access token (gha_…) or the management token (ghm_…)"),
    stateFile: resolve(text("STATE_FILE", /./, "a file name", "provider-state.json")),
    limits: {
      pricePence: integer("PRICE_PENCE", 0, 10_000_000, 999),
      maxAmountPence: integer("MAX_AMOUNT_PENCE", 0, 10_000_000, 100_000),
      maxFeeBps: integer("MAX_FEE_BPS", 0, 10_000, 1_000),
    },
    capacity: integer("CAPACITY", 1, 100, 3),
    inboxSeconds: Math.max(MIN_INBOX_SECONDS, integer("INBOX_SECONDS", 1, 86_400, MIN_INBOX_SECONDS)),
  };
  if (problems.length > 0) throw new Error(`The configuration cannot be used:\n  ${problems.join("\n  ")}`);
  return config;
}
