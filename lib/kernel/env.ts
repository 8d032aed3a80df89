import { join, resolve } from "node:path";
import ipaddr from "ipaddr.js";
import { type DevHosts, parseDevHosts } from "./env/dev-hosts.ts";
import { readS3Url } from "./env/s3-url.ts";
import { readStripeEnv } from "./env/stripe.ts";
import { Variables } from "./env/variables.ts";

/** The configuration is invalid: each line names a variable and says how to fix it. */
export class EnvError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** Each one adds a check for every unknown credential. This many are enough for any rotation. */
export const MOST_PREVIOUS_SECRETS = 4;

/** Credentials of this installation at a service through which owners may sign in. */
type OAuthClient = { clientId: string; clientSecret: string };

/** A log's origin or a witness's URL, with the verifier key. */
export type Watched = { name: string; vkey: string };

/**
 * Reads and checks the configuration. An empty variable counts as absent.
 * @throws EnvError naming every bad or missing variable at once
 */
export function loadEnv(source: Record<string, string | undefined> = process.env) {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const parsed = Variables.safeParse(present);
  if (!parsed.success) {
    throw new EnvError(parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`));
  }
  const vars = parsed.data;
  const problems: string[] = [];
  let devHosts: DevHosts = new Map();
  try {
    devHosts = parseDevHosts(vars.DEV_HOSTS);
  } catch (error) {
    problems.push(`DEV_HOSTS ${error instanceof Error ? error.message : "cannot be read"}`);
  }
  const { stripe, problems: stripeProblems } = readStripeEnv(vars);
  problems.push(...stripeProblems);
  if (vars.PAYMENT_MODE === "LIVE" && devHosts.size > 0)
    problems.push("DEV_HOSTS must not be set together with PAYMENT_MODE=LIVE: remove one of them.");
  for (const name of ["FEE_VAT_NUMBER", "FEE_STATEMENT_NAME", "FEE_STATEMENT_ADDRESS"] as const)
    if (vars.FEE_VAT_PERCENT !== undefined && !vars[name])
      problems.push(`${name} is missing: a statement that claims VAT must name it. Set it, or remove FEE_VAT_PERCENT.`);
  if (vars.LIVE_MAX_PENCE < vars.LIVE_MIN_PENCE)
    problems.push("LIVE_MAX_PENCE must be at least LIVE_MIN_PENCE: raise one, or lower the other.");
  const baseUrl = new URL(vars.BASE_URL ?? `http://localhost:${vars.PORT}`);
  if (stripe && baseUrl.protocol === "http:" && !(stripe.rehearsal && isLoopback(baseUrl)))
    problems.push(
      "BASE_URL must begin with https:// in LIVE, because Stripe sends people back to it. Only a rehearsal on localhost can use http.",
    );
  const alerts = vars.ALERT_WEBHOOK_URL ? new URL(vars.ALERT_WEBHOOK_URL) : undefined;
  if (alerts?.protocol === "http:" && !isLoopback(alerts))
    problems.push("ALERT_WEBHOOK_URL must begin with https://, unless it is on localhost.");
  if (vars.DATABASE_URL && !vars.AUTH_SECRET) {
    problems.push(
      "AUTH_SECRET is required when DATABASE_URL is set, so that all processes use the same keys. Set it to at least 32 random characters.",
    );
  }
  const trustedProxies = vars.TRUSTED_PROXIES.split(",").flatMap((text) => text.trim() || []);
  for (const text of trustedProxies) {
    if (!(text.includes("/") ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)))
      problems.push(`TRUSTED_PROXIES contains "${text}": list IP addresses or CIDR ranges, separated by commas.`);
  }
  for (const [id, secret] of [
    ["GITHUB_ID", "GITHUB_SECRET"],
    ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ] as const) {
    if (!vars[id] !== !vars[secret]) problems.push(`${id} and ${secret} belong together: set both, or neither.`);
  }
  const authSecretsPrevious = vars.AUTH_SECRET_PREVIOUS?.split(/\s+/).filter(Boolean) ?? [];
  if (authSecretsPrevious.some((secret) => secret.length < 32))
    problems.push("AUTH_SECRET_PREVIOUS must hold secrets of at least 32 characters, with spaces between them.");
  if (authSecretsPrevious.length > MOST_PREVIOUS_SECRETS)
    problems.push(
      `AUTH_SECRET_PREVIOUS must hold at most ${MOST_PREVIOUS_SECRETS} secrets: remove the oldest that are no longer needed.`,
    );
  if (vars.METRICS_PORT === vars.PORT)
    problems.push("METRICS_PORT must differ from PORT: use another one, or METRICS_TOKEN to have both on one port.");
  for (const name of ["DATABASE_OWNER_URL", "DIRECT_DATABASE_URL", "DATABASE_REPLICA_URL"] as const)
    if (vars[name] && !vars.DATABASE_URL)
      problems.push(`${name} needs DATABASE_URL: set that as well, or remove ${name}.`);
  const logWitnesses = readPairs("LOG_WITNESSES", "URL", vars.LOG_WITNESSES, problems);
  const witnessLogs = readPairs("WITNESS_LOGS", "ORIGIN", vars.WITNESS_LOGS, problems);
  for (const { name } of logWitnesses) {
    const isUrl = URL.canParse(name) && /^https?:$/.test(new URL(name).protocol);
    if (!isUrl || (name.startsWith("http:") && !isLoopback(new URL(name))))
      problems.push(`LOG_WITNESSES contains "${name}": a witness is called over https://, or http:// on this machine.`);
  }
  const filesS3 = vars.FILES_S3_URL === undefined ? undefined : readS3Url(vars.FILES_S3_URL);
  if (vars.FILES_S3_URL !== undefined && !filesS3)
    problems.push("FILES_S3_URL must have the form https://ACCESS_KEY:SECRET@host/bucket?region=REGION.");
  if (problems.length > 0) throw new EnvError(problems);
  return {
    production: vars.NODE_ENV === "production",
    port: vars.PORT,
    host: vars.HOST,
    /** Origin that the service names and trusts, without a trailing slash. */
    baseUrl: baseUrl.origin,
    /** Absolute path. */
    dataDir: resolve(vars.DATA_DIR),
    /** How many nightly backups of the embedded database are kept; 0: none are made. */
    backupKeep: vars.BACKUP_KEEP,
    /** Absolute path of their folder; undefined for the data folder. */
    backupDir: vars.BACKUP_DIR && resolve(vars.BACKUP_DIR),
    databaseUrl: vars.DATABASE_URL,
    /** For the role that owns the tables and applies migrations; undefined if `databaseUrl`'s role does that as well. */
    databaseOwnerUrl: vars.DATABASE_OWNER_URL,
    /** The same database past a transaction pooler, for what belongs to a session; undefined if `databaseUrl` is not behind one. */
    directDatabaseUrl: vars.DIRECT_DATABASE_URL,
    /** A streaming replica of the same database, for what visitors read; undefined for none. */
    databaseReplicaUrl: vars.DATABASE_REPLICA_URL,
    /** The most connections of this process's pool. */
    databasePool: vars.DATABASE_POOL,
    redisUrl: vars.REDIS_URL,
    authSecret: vars.AUTH_SECRET,
    /** Secrets that `AUTH_SECRET` has replaced: what was made under them is still accepted. */
    authSecretsPrevious,
    paymentMode: vars.PAYMENT_MODE,
    liveMinPence: vars.LIVE_MIN_PENCE,
    liveMaxPence: vars.LIVE_MAX_PENCE,
    /** So long after completion a transfer is sent. */
    liveTransferDelayDays: vars.LIVE_TRANSFER_DELAY_DAYS,
    /** For so many days Stripe keeps a new provider's money before paying it out; 0: as usual. */
    liveNewProviderDelayDays: vars.LIVE_NEW_PROVIDER_DELAY_DAYS,
    /** The VAT that the platform's fee contains, in hundredths of a per cent; undefined: none is claimed. */
    feeVatHundredths: vars.FEE_VAT_PERCENT,
    feeVatNumber: vars.FEE_VAT_NUMBER,
    /** Who charges the fee, as its statements say. */
    feeStatementName: vars.FEE_STATEMENT_NAME,
    feeStatementAddress: vars.FEE_STATEMENT_ADDRESS,
    /** Present exactly where LIVE is on offer. */
    stripe,
    /** Where the operator is told what LIVE money needs. The URL itself is a secret. */
    alertWebhookUrl: vars.ALERT_WEBHOOK_URL,
    rateLimitScale: vars.RATE_LIMIT_SCALE,
    devHosts,
    claimTtlSeconds: vars.CLAIM_TTL_SECONDS,
    sessionTtlSeconds: vars.SESSION_TTL_SECONDS,
    taskTtlSeconds: vars.TASK_TTL_SECONDS,
    /** After so many days without a step of the other party, a party may end a task whose terms set no time. */
    silenceDays: vars.SILENCE_DAYS,
    domainRecheckSeconds: vars.DOMAIN_RECHECK_SECONDS,
    /** How long events stay in the feed. */
    eventRetentionDays: vars.EVENT_RETENTION_DAYS,
    /** How long answers are kept for repeated requests. */
    idempotencyRetentionDays: vars.IDEMPOTENCY_RETENTION_DAYS,
    /** How many streams of events one process has open at most. */
    eventStreamsMax: vars.EVENT_STREAMS_MAX,
    /** So long a post counts as the original of later copies; 0: copies are welcome. */
    copyHours: vars.COPY_HOURS,
    /** Until a profile is so old or has made so many posts, it may use fewer links and mentions; 0: never. */
    newVoiceHours: vars.NEW_VOICE_HOURS,
    newVoicePosts: vars.NEW_VOICE_POSTS,
    newVoiceLinks: vars.NEW_VOICE_LINKS,
    newVoiceMentions: vars.NEW_VOICE_MENTIONS,
    /** So many agents of one owner or host may each post up to the limit; the others share one. */
    agentsWithOwnLimit: vars.AGENTS_WITH_OWN_LIMIT,
    /** Whether tasks have files at all. */
    files: vars.FILES === "on",
    /** Absolute path of the folder with their bytes; with a bucket, of uploads under way only. */
    filesDir: resolve(vars.FILES_DIR ?? join(vars.DATA_DIR, "files")),
    /** Where the bytes are instead. The URL holds secrets. */
    filesS3,
    /** What the bytes of all files may take. */
    filesMaxBytes: vars.FILES_MAX_BYTES,
    /** So long after its task's end, a file's bytes are removed. */
    fileRetentionDays: vars.FILE_RETENTION_DAYS,
    /** IP addresses and CIDR ranges. */
    trustedProxies,
    /** Where a listener of its own answers `/metrics`; undefined for none. */
    metricsPort: vars.METRICS_PORT,
    metricsHost: vars.METRICS_HOST,
    /** With this bearer token, `/metrics` is answered on the service's own port as well. */
    metricsToken: vars.METRICS_TOKEN,
    /** Where traces are sent to. */
    otlpEndpoint: vars.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: vars.LOG_LEVEL,
    /** Whether administrators need a second factor before they see or do anything as such. */
    adminSecondFactor: vars.ADMIN_SECOND_FACTOR ?? (baseUrl.protocol === "https:" ? "required" : "optional"),
    /** Where to report vulnerabilities: a `mailto:`, `https:` or `tel:` URL. */
    securityContact: vars.SECURITY_CONTACT,
    /** Private key by which push services recognise this service, in base64url; undefined: no Web Push. */
    vapidPrivateKey: vars.VAPID_PRIVATE_KEY,
    /** Private key of the transparency log, in the text form of Go's note package. */
    logSigningKey: vars.LOG_SIGNING_KEY,
    /** Absolute path of the folder with what the log signed last; undefined for the data folder. */
    logStateDir: vars.LOG_STATE_DIR && resolve(vars.LOG_STATE_DIR),
    /** Who is asked to cosign this log's checkpoints: where, and by which verifier key. */
    logWitnesses,
    /** The logs that this installation is a witness of: their origins and verifier keys. */
    witnessLogs,
    github: oauthClient(vars.GITHUB_ID, vars.GITHUB_SECRET),
    google: oauthClient(vars.GOOGLE_CLIENT_ID, vars.GOOGLE_CLIENT_SECRET),
  };
}

/** `NAME VKEY`, comma-separated. */
function readPairs(variable: string, what: string, text: string, problems: string[]): Watched[] {
  const pairs: Watched[] = [];
  for (const entry of text.split(",").flatMap((part) => part.trim() || [])) {
    const [name = "", vkey = "", ...more] = entry.split(/\s+/);
    if (more.length > 0 || !/^[^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{43}[A-Za-z0-9+/=]$/.test(vkey))
      problems.push(
        `${variable} contains "${entry}": list ${what} and verifier key, separated by a space, and commas between them.`,
      );
    else pairs.push({ name, vkey });
  }
  return pairs;
}

/** This machine, to itself. */
function isLoopback({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  return ipaddr.isValid(host) && ipaddr.parse(host).range() === "loopback";
}

/** Warnings about a configuration that works, but probably not as intended. */
export function warningsAbout({ baseUrl, trustedProxies }: Env): string[] {
  if (!baseUrl.startsWith("https://") || trustedProxies.length > 0) return [];
  return [
    "TRUSTED_PROXIES is empty, but BASE_URL is https: behind a proxy, all clients share one address and one set of rate limits. Set it to the proxy's addresses or ranges, such as 10.0.0.0/8.",
  ];
}

function oauthClient(clientId: string | undefined, clientSecret: string | undefined): OAuthClient | undefined {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

export type Env = ReturnType<typeof loadEnv>;

const shared = globalThis as { guildhallEnv?: Env };

/** The configuration of this process, read once. */
export function env(): Env {
  shared.guildhallEnv ??= loadEnv();
  return shared.guildhallEnv;
}
