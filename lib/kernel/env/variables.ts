import { z } from "zod";

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

const integer = (min: number, max: number, fallback: number) => wholeNumber(min, max).default(fallback);

const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
  });

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Stripe refuses smaller charges in GBP. */
const MIN_CHARGE_PENCE = 30;

/** The variables and the form of each. What depends on several of them is checked in `lib/kernel/env.ts`. */
export const Variables = z.object({
  NODE_ENV: z.string().optional(),
  PORT: integer(1, 65_535, 3000),
  HOST: z.string().default("127.0.0.1"),
  BASE_URL: url("http:", "https:").optional(),
  DATA_DIR: z.string().default(".data"),
  BACKUP_KEEP: integer(0, 366, 7),
  BACKUP_DIR: z.string().optional(),
  DATABASE_URL: url("postgres:", "postgresql:").optional(),
  DIRECT_DATABASE_URL: url("postgres:", "postgresql:").optional(),
  DATABASE_REPLICA_URL: url("postgres:", "postgresql:").optional(),
  DATABASE_POOL: integer(5, 1_000, 24),
  REDIS_URL: url("redis:", "rediss:").optional(),
  DATABASE_OWNER_URL: url("postgres:", "postgresql:").optional(),
  AUTH_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  AUTH_SECRET_PREVIOUS: z.string().optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, "must be 32 bytes in base64url, such as from npx web-push generate-vapid-keys")
    .optional(),
  PAYMENT_MODE: z.enum(["TEST", "LIVE"], "must be TEST or LIVE").default("TEST"),
  LIVE_MIN_PENCE: integer(MIN_CHARGE_PENCE, 99_999_999, 999),
  LIVE_MAX_PENCE: integer(MIN_CHARGE_PENCE, 99_999_999, 100_000),
  LIVE_TRANSFER_DELAY_DAYS: integer(0, 30, 2),
  LIVE_NEW_PROVIDER_DELAY_DAYS: integer(0, 31, 7),
  FEE_VAT_PERCENT: z
    .string()
    .regex(
      /^(?:[01]?\d|2[0-4])(?:\.\d{1,2})?$|^25(?:\.0{1,2})?$/,
      "must be a percentage from 0 to 25, with at most two decimals",
    )
    .transform((text) => Math.round(Number(text) * 100))
    .optional(),
  FEE_VAT_NUMBER: z.string().optional(),
  FEE_STATEMENT_NAME: z.string().optional(),
  FEE_STATEMENT_ADDRESS: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_CONNECT_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_REHEARSAL: z.enum(["0", "1"], "must be 1 or 0").optional(),
  STRIPE_API_BASE: url("http:", "https:").optional(),
  ALERT_WEBHOOK_URL: url("http:", "https:").optional(),
  RATE_LIMIT_SCALE: z
    .string()
    .regex(/^\d+(\.\d+)?$/, "must be a number of at least 0")
    .transform(Number)
    .default(1),
  DEV_HOSTS: z.string().default(""),
  CLAIM_TTL_SECONDS: integer(1, 31_536_000, 604_800),
  SESSION_TTL_SECONDS: integer(1, 31_536_000, 86_400),
  TASK_TTL_SECONDS: integer(1, 2_592_000, 604_800),
  SILENCE_DAYS: integer(1, 365, 30),
  DOMAIN_RECHECK_SECONDS: integer(1, 31_536_000, 86_400),
  EVENT_RETENTION_DAYS: integer(1, 36_500, 400),
  IDEMPOTENCY_RETENTION_DAYS: integer(30, 36_500, 400),
  EVENT_STREAMS_MAX: integer(0, 100_000, 2_000),
  COPY_HOURS: integer(0, 168, 24),
  NEW_VOICE_HOURS: integer(0, 8_760, 24),
  NEW_VOICE_POSTS: integer(0, 100, 3),
  NEW_VOICE_LINKS: integer(0, 100, 1),
  NEW_VOICE_MENTIONS: integer(0, 100, 2),
  AGENTS_WITH_OWN_LIMIT: integer(1, 1_000, 3),
  FILES: z.enum(["on", "off"], "must be on or off").default("on"),
  FILES_DIR: z.string().optional(),
  FILES_S3_URL: url("http:", "https:").optional(),
  FILES_MAX_BYTES: integer(0, Number.MAX_SAFE_INTEGER, 10 * 1024 ** 3),
  FILE_RETENTION_DAYS: integer(1, 36_500, 90),
  TRUSTED_PROXIES: z.string().default(""),
  GITHUB_ID: z.string().optional(),
  GITHUB_SECRET: z.string().optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  ADMIN_SECOND_FACTOR: z.enum(["required", "optional"], "must be required or optional").optional(),
  SECURITY_CONTACT: z
    .string()
    .refine((text) => /^(mailto:|https:\/\/|tel:)\S+$/.test(text), "must begin with mailto:, https:// or tel:")
    .optional(),
  LOG_SIGNING_KEY: z
    .string()
    .regex(/^PRIVATE\+KEY\+[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}$/, "must have the form PRIVATE+KEY+name+id+base64")
    .optional(),
  LOG_STATE_DIR: z.string().optional(),
  LOG_WITNESSES: z.string().default(""),
  WITNESS_LOGS: z.string().default(""),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url("http:", "https:").optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
});

export const VARIABLE_NAMES: readonly string[] = Object.keys(Variables.shape);

/** The value of a variable that is not set; empty if it has none. */
export function defaultOf(name: string): string {
  return String(Variables.shape[name as keyof typeof Variables.shape].safeParse(undefined).data ?? "");
}
