import assert from "node:assert/strict";
import { isAbsolute } from "node:path";
import { test } from "node:test";
import { EnvError, loadEnv, warningsAbout } from "./env.ts";

function problems(source: Record<string, string>): string[] {
  try {
    loadEnv(source);
  } catch (error) {
    assert.ok(error instanceof EnvError);
    return error.problems;
  }
  return [];
}

test("without variables, the service is for this machine only, takes no real money and watches nobody", () => {
  const { dataDir, devHosts, host, baseUrl, ...rest } = loadEnv({});
  assert.ok(isAbsolute(dataDir) && dataDir.endsWith(".data"));
  assert.deepEqual([host, baseUrl, devHosts.size], ["127.0.0.1", "http://localhost:3000", 0]);
  assert.deepEqual([rest.production, rest.paymentMode, rest.stripe], [false, "TEST", undefined]);
  assert.deepEqual([rest.trustedProxies, rest.logWitnesses, rest.witnessLogs], [[], [], []]);
  assert.equal(rest.rateLimitScale, 1);
});

test("the origin follows the port, and a trailing slash is not part of it", () => {
  assert.equal(loadEnv({ PORT: "8080" }).baseUrl, "http://localhost:8080");
  assert.equal(loadEnv({ BASE_URL: "https://guild.example/" }).baseUrl, "https://guild.example");
});

test("an empty variable counts as absent", () => {
  assert.equal(loadEnv({ PORT: "", DATABASE_URL: " ", LOG_LEVEL: "" }).port, 3000);
});

const SECRET = "a secret of at least 32 characters";
const VKEY = "guild.example/witness+0a1b2c3d+BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g";
const BAD: [name: string, values: string[]][] = [
  ["PORT", ["0", "65536", "abc", "-1", "3000.5", "99999999999999999999"]],
  ["BASE_URL", ["localhost:3000", "ftp://guild.example", "not a url"]],
  ["DATABASE_URL", ["mysql://localhost/x", "localhost"]],
  ["REDIS_URL", ["http://localhost", "localhost:6379"]],
  ["AUTH_SECRET", ["too short", "x".repeat(31)]],
  ["PAYMENT_MODE", ["live", "CRYPTO", "true"]],
  ["STRIPE_SECRET_KEY", ["secret", "pk_live_abc", "sk_live_a b"]],
  ["STRIPE_REHEARSAL", ["yes", "true"]],
  ["STRIPE_API_BASE", ["127.0.0.1:1", "http://127.0.0.1:1"]],
  ["FEE_VAT_PERCENT", ["-1", "25.01", "26", "twenty", "17.555"]],
  ["LIVE_MAX_PENCE", ["29", "998", "ten", "100000000"]],
  ["LIVE_TRANSFER_DELAY_DAYS", ["-1", "31", "two"]],
  ["LIVE_NEW_PROVIDER_DELAY_DAYS", ["-1", "32", "0.5"]],
  ["LIVE_MIN_PENCE", ["0", "29", "9.99", "-5", "100000000"]],
  ["RATE_LIMIT_SCALE", ["-1", "off", "1e3", ".5", "Infinity"]],
  ["DEV_HOSTS", ["alpha.test", "alpha.test=localhost:1"]],
  ["CLAIM_TTL_SECONDS", ["0", "week"]],
  ["SESSION_TTL_SECONDS", ["0", "1d"]],
  ["TASK_TTL_SECONDS", ["0", "2592001"]],
  ["DOMAIN_RECHECK_SECONDS", ["0", "daily"]],
  ["EVENT_RETENTION_DAYS", ["0", "a year"]],
  ["EVENT_STREAMS_MAX", ["-1", "many"]],
  ["COPY_HOURS", ["-1", "169", "a day"]],
  ["NEW_VOICE_HOURS", ["8761"]],
  ["AGENTS_WITH_OWN_LIMIT", ["0"]],
  ["TRUSTED_PROXIES", ["10.0.0.0/33", "10.0.0.0/", "proxy.example", "127.0.0.1 ::1"]],
  ["LOG_LEVEL", ["loud", "INFO"]],
  ["LOG_SIGNING_KEY", ["secret", "PRIVATE+KEY+guild.example/log+0a1b2c3d+AAAA"]],
  [
    "LOG_WITNESSES",
    ["https://guild.example/witness", `ftp://guild.example ${VKEY}`, `http://guild.example/witness ${VKEY}`],
  ],
  ["WITNESS_LOGS", ["guild.example/log", `guild.example/log ${VKEY} more`, "guild.example/log key"]],
];
for (const [name, values] of BAD) {
  test(`an invalid ${name} is refused by name`, () => {
    for (const value of values) {
      const found = problems({ AUTH_SECRET: SECRET, [name]: value });
      assert.equal(found.length, 1, value);
      assert.match(found[0] ?? "", new RegExp(`^${name} `), value);
    }
  });
}

test("all invalid variables are reported together", () => {
  const found = problems({ PORT: "x", HOST: "0.0.0.0", LOG_LEVEL: "loud", LIVE_MIN_PENCE: "0" });
  assert.deepEqual(found.map((line) => line.split(" ", 1)[0]).sort(), ["LIVE_MIN_PENCE", "LOG_LEVEL", "PORT"]);
});

test("DATABASE_URL requires AUTH_SECRET", () => {
  assert.match(problems({ DATABASE_URL: "postgres://localhost/x" })[0] ?? "", /^AUTH_SECRET is required/);
  assert.deepEqual(problems({ DATABASE_URL: "postgres://localhost/x", AUTH_SECRET: SECRET }), []);
});

const LIVE = {
  PAYMENT_MODE: "LIVE",
  STRIPE_SECRET_KEY: "sk_live_abc",
  STRIPE_WEBHOOK_SECRET: "whsec_one",
  STRIPE_CONNECT_WEBHOOK_SECRET: "whsec_two",
  BASE_URL: "https://guildhall.example",
};
const REHEARSAL = { ...LIVE, STRIPE_SECRET_KEY: "sk_test_abc", STRIPE_REHEARSAL: "1" };

test("development hosts are refused together with LIVE, rehearsed or not", () => {
  for (const variables of [LIVE, REHEARSAL]) {
    const found = problems({ ...variables, DEV_HOSTS: "alpha.test=127.0.0.1:9443" });
    assert.ok(found.length === 1 && /^DEV_HOSTS .*LIVE/.test(found[0] ?? ""));
  }
});

test("LIVE is available if it is completely configured", () => {
  assert.deepEqual(loadEnv(LIVE).stripe, {
    secretKey: "sk_live_abc",
    webhookSecrets: ["whsec_one"],
    connectWebhookSecrets: ["whsec_two"],
    rehearsal: false,
    apiBase: undefined,
  });
  const { stripe } = loadEnv({ ...REHEARSAL, STRIPE_API_BASE: "http://127.0.0.1:4242" });
  assert.equal(stripe?.rehearsal, true);
  assert.deepEqual(stripe?.apiBase, { protocol: "http", host: "127.0.0.1", port: 4242 });
});

test("LIVE needs an https origin, and only a rehearsal on this machine can do without", () => {
  const { BASE_URL: _, ...withoutOrigin } = LIVE;
  for (const variables of [withoutOrigin, { ...LIVE, BASE_URL: "http://localhost:3000" }])
    assert.match(problems(variables).join(), /^BASE_URL must begin with https/);
  for (const BASE_URL of ["http://guildhall.example", "http://192.168.0.7:3000", "http://localhost.example"])
    for (const variables of [LIVE, REHEARSAL])
      assert.match(problems({ ...variables, BASE_URL }).join(), /^BASE_URL must begin with https/);
  for (const BASE_URL of ["http://localhost:3000", "http://127.0.0.1:8080", "http://[::1]:3000", ""])
    assert.deepEqual(problems({ ...REHEARSAL, BASE_URL }), []);
  assert.deepEqual(problems({ BASE_URL: "http://guildhall.example" }), []);
});

test("each webhook address can have several signing secrets, separated by commas", () => {
  const { stripe } = loadEnv({
    ...LIVE,
    STRIPE_WEBHOOK_SECRET: "whsec_old,whsec_new",
    STRIPE_CONNECT_WEBHOOK_SECRET: " whsec_snapshot , whsec_thin, ",
  });
  assert.deepEqual(stripe?.webhookSecrets, ["whsec_old", "whsec_new"]);
  assert.deepEqual(stripe?.connectWebhookSecrets, ["whsec_snapshot", "whsec_thin"]);
  assert.match(problems({ ...LIVE, STRIPE_WEBHOOK_SECRET: " , " }).join(), /^STRIPE_WEBHOOK_SECRET is missing/);
});

test("an incomplete LIVE configuration is refused, and every missing variable is named", () => {
  assert.deepEqual(
    problems({ PAYMENT_MODE: "LIVE" }).map((line) => line.split(" ", 1)[0]),
    ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_CONNECT_WEBHOOK_SECRET"],
  );
  const { STRIPE_WEBHOOK_SECRET: _, ...rest } = LIVE;
  assert.match(problems(rest).join(), /^STRIPE_WEBHOOK_SECRET is missing/);
});

test("a key of the wrong kind is refused, unless it is a rehearsal with a test key", () => {
  for (const kind of ["sk", "rk"]) {
    const live = { STRIPE_SECRET_KEY: `${kind}_live_abc` };
    const test = { STRIPE_SECRET_KEY: `${kind}_test_abc` };
    assert.match(problems(live).join(), /^STRIPE_SECRET_KEY is a live key, but PAYMENT_MODE/);
    assert.match(
      problems({ ...live, STRIPE_REHEARSAL: "1" }).join(),
      /^STRIPE_SECRET_KEY is a live key, but PAYMENT_MODE/,
    );
    assert.deepEqual(problems(test), []);
    assert.match(problems({ ...LIVE, ...test }).join(), /^STRIPE_SECRET_KEY is a test key in LIVE/);
    assert.deepEqual(problems({ ...LIVE, ...test, STRIPE_REHEARSAL: "1" }), []);
    assert.match(problems({ ...LIVE, ...live, STRIPE_REHEARSAL: "1" }).join(), /use a test key/);
    assert.equal(loadEnv(test).stripe, undefined);
  }
});

test("STRIPE_API_BASE is only for rehearsals", () => {
  assert.match(
    problems({ ...LIVE, STRIPE_API_BASE: "http://127.0.0.1:1" }).join(),
    /^STRIPE_API_BASE is only for rehearsals/,
  );
});

test("messages about a wrong secret do not contain it", () => {
  const secret = { STRIPE_SECRET_KEY: "oops_secret_1", STRIPE_WEBHOOK_SECRET: "whsec_secret_2" };
  assert.doesNotMatch(problems({ PAYMENT_MODE: "LIVE", ...secret }).join(), /secret_[12]/);
});

test("proxies are read as a list of addresses and ranges", () => {
  assert.deepEqual(loadEnv({ TRUSTED_PROXIES: "10.0.0.0/8, ::1,,192.0.2.7,2001:db8::/32 " }).trustedProxies, [
    "10.0.0.0/8",
    "::1",
    "192.0.2.7",
    "2001:db8::/32",
  ]);
});

test("an https origin without trusted proxies causes a warning", () => {
  const warned = (variables: Record<string, string>) => warningsAbout(loadEnv(variables)).join();
  assert.match(warned({ BASE_URL: "https://hall.example" }), /TRUSTED_PROXIES/);
  assert.equal(warned({ BASE_URL: "https://hall.example", TRUSTED_PROXIES: "10.0.0.1" }), "");
  assert.equal(warned({}), "");
});

test("previous secrets are separated by spaces, and administrators need a second factor wherever the service has https", () => {
  const [one, two] = ["a".repeat(32), "b".repeat(40)];
  assert.deepEqual(loadEnv({ AUTH_SECRET_PREVIOUS: `${one}  ${two}` }).authSecretsPrevious, [one, two]);
  assert.match(problems({ AUTH_SECRET_PREVIOUS: "short" })[0] ?? "", /AUTH_SECRET_PREVIOUS .*32 characters/);
  assert.match(problems({ AUTH_SECRET_PREVIOUS: `${one} `.repeat(5) })[0] ?? "", /AUTH_SECRET_PREVIOUS .*at most 4/);
  assert.equal(loadEnv({ BASE_URL: "https://guildhall.example" }).adminSecondFactor, "required");
  assert.equal(
    loadEnv({ BASE_URL: "https://guildhall.example", ADMIN_SECOND_FACTOR: "optional" }).adminSecondFactor,
    "optional",
  );
  assert.match(
    problems({ SECURITY_CONTACT: "security@example.org" })[0] ?? "",
    /SECURITY_CONTACT must begin with mailto:/,
  );
  assert.match(problems({ DATABASE_OWNER_URL: "postgres://owner@db/guildhall" })[0] ?? "", /needs DATABASE_URL/);
});

test("alerts go to an https address, or to this machine", () => {
  const read = (url: string) => loadEnv({ ALERT_WEBHOOK_URL: url }).alertWebhookUrl;
  for (const url of ["https://hooks.example.com/x", "http://127.0.0.1:9/x"]) assert.equal(read(url), url);
  for (const url of ["http://hooks.example.com/x", "ftp://hooks.example.com", "nonsense"])
    assert.throws(() => read(url), /ALERT_WEBHOOK_URL/);
});

test("witnesses and watched logs are read as pairs, and a witness on this machine may do without https", () => {
  const { logWitnesses, witnessLogs } = loadEnv({
    LOG_WITNESSES: `https://guild.example/witness ${VKEY}, http://127.0.0.1:3001/witness ${VKEY}`,
    WITNESS_LOGS: `other.example/log  ${VKEY}`,
  });
  assert.deepEqual(
    logWitnesses.map(({ name }) => name),
    ["https://guild.example/witness", "http://127.0.0.1:3001/witness"],
  );
  assert.deepEqual(witnessLogs, [{ name: "other.example/log", vkey: VKEY }]);
});
