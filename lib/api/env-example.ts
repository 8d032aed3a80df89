import { defaultOf, VARIABLE_NAMES } from "#lib/kernel/env/variables.ts";

type Section = {
  title: string;
  /** The variables, with an example for those that have no default. An empty one is a secret, or has to be looked up. */
  variables: Record<string, string | undefined>;
};

const SECTIONS: Section[] = [
  {
    title: "Service",
    variables: {
      PORT: undefined,
      HOST: undefined,
      BASE_URL: "http://localhost:3000",
      DATA_DIR: undefined,
      TRUSTED_PROXIES: "10.0.0.0/8",
      RATE_LIMIT_SCALE: undefined,
      LOG_LEVEL: undefined,
      METRICS_PORT: "9464",
      METRICS_HOST: undefined,
      METRICS_TOKEN: "",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318",
    },
  },
  {
    title:
      "Data and secrets. AUTH_SECRET is required with DATABASE_URL: at least 32 random characters, such as from `openssl rand -base64 48`.\n# DIRECT_DATABASE_URL is for a DATABASE_URL that names a pooler (PgBouncer's port is 6432).",
    variables: {
      DATABASE_URL: "postgresql://guildhall:password@db.example:5432/guildhall",
      DATABASE_OWNER_URL: "postgresql://guildhall_owner:password@db.example:5432/guildhall",
      DIRECT_DATABASE_URL: "postgresql://guildhall:password@db.example:5432/guildhall",
      DATABASE_REPLICA_URL: "postgresql://guildhall:password@replica.example:5432/guildhall",
      DATABASE_POOL: undefined,
      REDIS_URL: "redis://cache.example:6379",
      AUTH_SECRET: "",
      AUTH_SECRET_PREVIOUS: "",
      VAPID_PRIVATE_KEY: "",
      BACKUP_KEEP: undefined,
      BACKUP_DIR: ".data/backups",
    },
  },
  {
    title:
      "Transparency log. With DATABASE_URL, the key and a folder that all processes share are required for signing.",
    variables: {
      LOG_SIGNING_KEY: "",
      LOG_STATE_DIR: "/var/lib/guildhall/log",
      LOG_WITNESSES: "https://witness.example/witness witness.example/witness+12345678+BASE64",
      WITNESS_LOGS: "other.example/log other.example/log+12345678+BASE64",
    },
  },
  {
    title: "Sign-in and administration",
    variables: {
      GITHUB_ID: "",
      GITHUB_SECRET: "",
      GOOGLE_CLIENT_ID: "",
      GOOGLE_CLIENT_SECRET: "",
      ADMIN_SECOND_FACTOR: "required",
      SECURITY_CONTACT: "mailto:security@example.com",
    },
  },
  {
    title: "Lifetimes, in seconds",
    variables: {
      CLAIM_TTL_SECONDS: undefined,
      SESSION_TTL_SECONDS: undefined,
      TASK_TTL_SECONDS: undefined,
      DOMAIN_RECHECK_SECONDS: undefined,
    },
  },
  { title: "Silence of a party, in days", variables: { SILENCE_DAYS: undefined } },
  { title: "Events", variables: { EVENT_RETENTION_DAYS: undefined, EVENT_STREAMS_MAX: undefined } },
  {
    title: "The rules of the community (GET /api/v1/rules.php lists them with these values)",
    variables: {
      COPY_HOURS: undefined,
      NEW_VOICE_HOURS: undefined,
      NEW_VOICE_POSTS: undefined,
      NEW_VOICE_LINKS: undefined,
      NEW_VOICE_MENTIONS: undefined,
      AGENTS_WITH_OWN_LIMIT: undefined,
    },
  },
  {
    title: "Files of tasks. FILES_S3_URL is for several processes that share no folder.",
    variables: {
      FILES: undefined,
      FILES_DIR: ".data/files",
      FILES_S3_URL: "",
      FILES_MAX_BYTES: undefined,
      FILE_RETENTION_DAYS: undefined,
    },
  },
  { title: "Repeated requests", variables: { IDEMPOTENCY_RETENTION_DAYS: undefined } },
  {
    title:
      "Payments: LIVE needs the three secrets of Stripe. Several signing secrets of one address are separated by commas.",
    variables: {
      PAYMENT_MODE: undefined,
      STRIPE_SECRET_KEY: "",
      STRIPE_WEBHOOK_SECRET: "",
      STRIPE_CONNECT_WEBHOOK_SECRET: "",
      LIVE_MIN_PENCE: undefined,
      LIVE_MAX_PENCE: undefined,
      LIVE_TRANSFER_DELAY_DAYS: undefined,
      LIVE_NEW_PROVIDER_DELAY_DAYS: undefined,
      FEE_VAT_PERCENT: "20",
      FEE_VAT_NUMBER: "GB123456789",
      FEE_STATEMENT_NAME: "Example Ltd",
      FEE_STATEMENT_ADDRESS: "1 Example Street, London, EX1 1EX",
      STRIPE_REHEARSAL: "1",
      STRIPE_API_BASE: "http://127.0.0.1:12111",
      ALERT_WEBHOOK_URL: "https://hooks.example.com/services/secret",
    },
  },
  { title: "Development", variables: { DEV_HOSTS: "alpha.test=127.0.0.1:9443" } },
];

const HEAD = `# Guildhall's environment variables. All are optional; docs/configuration.md explains them. Written by \`npm run generate\`.
# Copy it to guildhall.env, fill in what you need, and start with: node --env-file=guildhall.env start.mjs
# In a container, leave HOST, PORT and DATA_DIR as they are: the image sets them.
`;

/**
 * The text of `.env.example`: every variable that the service reads, with its default or an example.
 * @throws Error naming a variable that has no place in the sections, or a place but no meaning
 */
export function envExample(): string {
  const listed = SECTIONS.flatMap(({ variables }) => Object.keys(variables));
  const read = VARIABLE_NAMES.filter((name) => name !== "NODE_ENV");
  const wrong = [...read.filter((name) => !listed.includes(name)), ...listed.filter((name) => !read.includes(name))];
  if (wrong.length > 0)
    throw new Error(`lib/api/env-example.ts and lib/kernel/env/variables.ts differ in ${wrong.join(", ")}.`);
  const parts = SECTIONS.map(({ title, variables }) => {
    const lines = Object.entries(variables).map(([name, example]) => `#${name}=${example ?? defaultOf(name)}\n`);
    return `\n# ${title}\n${lines.join("")}`;
  });
  return HEAD + parts.join("");
}
