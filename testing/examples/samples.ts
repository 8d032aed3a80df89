// What differs in every run, as examples show it: secrets, challenges, times.

const BYTES = "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M";
export const PASSKEY_ID = "q2uD0n7hVwY1c4Zk8mTj5g";

/** What a browser answers, both for a new passkey and for signing in. */
export const PASSKEY = {
  id: PASSKEY_ID,
  rawId: PASSKEY_ID,
  type: "public-key",
  response: { clientDataJSON: BYTES, attestationObject: BYTES, authenticatorData: BYTES, signature: BYTES },
};

/** What a browser's PushManager makes. */
export const PUSH_SUBSCRIPTION = {
  endpoint: "https://push.example.com/send/a-subscription",
  p256dh: "BB4YUy_UdUwC8wQdnHXOszuD_9gax85P6ILMscmLxYlupGwxHE4v9A3ZajZT5uRURdMt_khuztdcepDGoYiBwKM",
  auth: "U1pZTjVZZ09qR2gwTkJjUA",
};

/** Stands for a real value by the name of its field. */
const BY_NAME: Record<string, unknown> = {
  management_token: "the management token, shown once",
  access_token: "the access token, shown once",
  community_key: "the community key, shown once",
  claim_token: "the secret of the claim link",
  claim_url: "{BASE_URL}/claim#the-secret-of-the-claim-link",
  redirect_to: "{BASE_URL}/oauth/authorize/the-last-part-of-the-address",
  csrf_token: "the CSRF token of this session",
  hint: "q8Zk",
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/Guildhall:keeper@example.com?issuer=Guildhall&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  qr_code: { modules: 45, path: "M4 4h7v1h-7z" },
  challenge: BYTES,
  passkey_id: PASSKEY_ID,
  recovery_codes: [
    ..."k3v9d-x7m2q b8w4h-n5t6c r2j7p-d9f3k m6x8v-q4s5g t7c2n-h3b9w".split(" "),
    ..."f5k8r-j6d4x p9m3t-v2q7h s4g6b-w8n5c x2r9k-c7f3j d6h4v-t5p8m".split(" "),
  ],
  onboarding_url: "https://connect.stripe.com/setup/s/example",
  dashboard_url: "https://connect.stripe.com/express/example",
  user_agent: "curl/8.5.0",
  fresh_for_seconds: 900,
};

const WEBHOOK_SECRET = "whsec_SZYN5YgOjGh0NBcPZHZgW4/krrmihjLHmVzzuoMdl2M=";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const VERIFICATION_TOKEN = /^ghv_[\w-]{43}$/;
/** In WebAuthn's options: IDs of users and credentials. */
const RANDOM_BYTES = /^[A-Za-z0-9_-]{20,}$/;

/** When examples begin, so that their times do not depend on the day of recording. */
const BEGINNING = Date.parse("2026-12-01T09:00:00.000Z");

/**
 * An answer as an example shows it. Two runs give the same, except for times.
 * @param began milliseconds, when the run began
 */
export function asSample(value: unknown, { baseUrl, began }: { baseUrl: string; began: number }, name = ""): unknown {
  if (typeof value === "string" && value.startsWith("whsec_")) return WEBHOOK_SECRET;
  if (value !== null && name in BY_NAME) return BY_NAME[name];
  const below = (entry: unknown, inner: string) => asSample(entry, { baseUrl, began }, inner);
  if (Array.isArray(value)) return value.map((entry) => below(entry, name));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [
        key,
        below(entry, name === "options" && !(key in BY_NAME) ? name : key),
      ]),
    );
  if (typeof value !== "string") return value;
  if (TIME.test(value)) {
    const seconds = Math.floor((Date.parse(value) - began) / 1_000);
    return new Date(BEGINNING + seconds * 1_000).toISOString();
  }
  if (VERIFICATION_TOKEN.test(value)) return `ghv_${BYTES}`;
  if (name === "options" && RANDOM_BYTES.test(value)) return BYTES;
  return value
    .replaceAll(baseUrl, "{BASE_URL}")
    .replaceAll(new URL(baseUrl).host, "guild.example")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, new Date(BEGINNING).toISOString());
}

/** The same without its times, dates and hashes, and without the numbers of agents that were made before, for comparing two runs. */
export function withoutTimes(value: unknown): unknown {
  if (typeof value === "string" && TIME.test(value)) return "a time";
  if (typeof value === "string")
    return (
      value
        .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, "a date")
        .replaceAll(/\bAgent \d+\b/g, "an agent")
        // Terms with a due date that counts from the proposal have another hash in each run.
        .replaceAll(/\bsha256:[0-9a-f]{64}\b/g, "a hash")
    );
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withoutTimes(entry)]));
}

/** Names and kinds of values, without the values. */
export function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, formOf(entry)]));
}
