import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runGuildhall } from "../../../testing/command-line.ts";
import { listening } from "../../testing/listening.ts";
import type { Profile } from "./settings.ts";

const root = mkdtempSync(join(tmpdir(), "guildhall-credentials-"));
after(() => rmSync(root, { recursive: true, force: true }));

const HOME = "https://home.example";
const OWN = { base_url: HOME, public_id: "agt_own", token: "ghm_own", community_key: "ghc_own" };
const NEW = {
  management_token: "ghm_new",
  community_key: "ghc_new",
  claim_url: "https://other.example/claim#ghk_new",
  claim_token: "ghk_new",
  secret: "whsec_new",
};
const CONSENT = ["--public-consent", "--operator-authorized"];
const REGISTER = ["register", "--name", "N", "--description", "D", "--skills", "s", "--operator-authorized"];
const COMMUNITY_REGISTER = ["community", "register", "--name", "N", ...CONSENT];

/** A service that answers every call with every secret there is, and remembers what it was sent. */
async function openService(answer: object = {}) {
  const calls: { path: string; authorization: string | undefined }[] = [];
  const { url, close } = await listening((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    calls.push({ path, authorization: request.headers.authorization });
    response.end(JSON.stringify({ ok: true, public_id: "agt_new", ...NEW, ...answer }));
  });
  after(close);
  return { url, calls };
}

let folders = 0;

/** A computer with this credentials file, on which command lines are run. */
function openComputer(profiles: Record<string, Profile> = {}) {
  folders += 1;
  const folder = join(root, String(folders));
  const file = join(folder, "guildhall/credentials.json");
  mkdirSync(join(folder, "guildhall"), { recursive: true });
  if (Object.keys(profiles).length > 0) writeFileSync(file, JSON.stringify({ profiles }), { mode: 0o600 });
  const run = (args: string[], env: Record<string, string> = {}) =>
    runGuildhall(args, { XDG_CONFIG_HOME: folder, ...env });
  const stored = () => (JSON.parse(readFileSync(file, "utf8")) as { profiles: Record<string, Profile> }).profiles;
  return { folder, run, stored };
}

test("an answer with secrets changes no profile unless the call gives secrets, and no secret is printed", async () => {
  const service = await openService({ posts: [], next_before: null });
  const computer = openComputer({ default: OWN });
  for (const words of [["status"], ["jobs", "list"], ["agents", "me"], ["community", "feed"]]) {
    const { code, out, err } = await computer.run([...words, "--base-url", service.url], {
      GUILDHALL_BASE_URL: service.url,
      GUILDHALL_PUBLIC_ID: "agt_x",
      GUILDHALL_TOKEN: "ghm_x",
    });
    assert.equal(code, 0, err);
    assert.doesNotMatch(out + err, /ghm_new|ghc_new|ghk_new|whsec_new/, words.join(" "));
    assert.deepEqual(computer.stored(), { default: OWN });
  }
});

test("a call keeps the secrets that it is for, and no others", async () => {
  const service = await openService();
  const computer = openComputer();
  const { code, err } = await computer.run([...COMMUNITY_REGISTER, "--base-url", service.url]);
  assert.equal(code, 0, err);
  const { claim_url, community_key } = NEW;
  assert.deepEqual(computer.stored(), {
    default: { base_url: service.url, public_id: "agt_new", community_key, claim_url },
  });
});

test("a profile of one service takes no credentials of another, and nothing is sent", async () => {
  const service = await openService();
  const computer = openComputer({ default: { base_url: HOME, public_id: "agt_own", token: "ghm_own" } });
  const before = computer.stored();
  const env = { GUILDHALL_BASE_URL: service.url, GUILDHALL_PUBLIC_ID: "agt_own", GUILDHALL_TOKEN: "ghm_other" };
  for (const words of [COMMUNITY_REGISTER, ["community", "join", ...CONSENT], ["agents", "webhook-rotate"]]) {
    const { code, err } = await computer.run(words, env);
    assert.equal(code, 2, err);
    assert.match(err, /belongs to https:\/\/home\.example.*--profile/);
  }
  assert.deepEqual([service.calls, computer.stored()], [[], before]);
});

test("a profile that holds an identity is not registered again, nor used by another identity", async () => {
  const service = await openService();
  const own = { base_url: service.url, public_id: "agt_own", token: "ghm_own" };
  const computer = openComputer({ default: own, joined: { ...own, community_key: "ghc_own" } });
  const before = computer.stored();
  const cases = [
    [...REGISTER, "--endpoint", "https://a.example/"],
    COMMUNITY_REGISTER,
    ["community", "join", ...CONSENT, "--profile", "joined"],
  ];
  for (const words of cases) {
    const { code, err } = await computer.run(words);
    assert.deepEqual([code, /already has credentials.*--profile/.test(err)], [2, true], err);
  }
  const other = { GUILDHALL_BASE_URL: service.url, GUILDHALL_PUBLIC_ID: "agt_two", GUILDHALL_TOKEN: "ghm_two" };
  assert.match((await computer.run(["community", "join", ...CONSENT], other)).err, /belongs to agt_own/);
  assert.deepEqual([service.calls, computer.stored()], [[], before]);
});

test("a secret that could not be stored is not asked for", async () => {
  const service = await openService();
  const computer = openComputer();
  rmSync(join(computer.folder, "guildhall"), { recursive: true });
  symlinkSync(join(computer.folder, "nowhere/at/all"), join(computer.folder, "guildhall"));
  const { code, err } = await computer.run([...COMMUNITY_REGISTER, "--base-url", service.url]);
  assert.equal(code, 2, err);
  assert.match(err, /cannot be written/);
  assert.deepEqual(service.calls, []);
});

test("--base-url sends the environment's token nowhere that it would not go without it", async (t) => {
  const [one, other] = [await openService(), await openService()];
  const computer = openComputer({ default: { base_url: one.url } });
  const token = { GUILDHALL_PUBLIC_ID: "agt_env", GUILDHALL_TOKEN: "ghm_env" };
  // The client reads the process's environment too.
  Object.assign(process.env, token);
  t.after(() => {
    for (const name of Object.keys(token)) delete process.env[name];
  });
  const show = ["jobs", "show", "tsk_1"];
  await computer.run(show, token);
  await computer.run([...show, "--base-url", one.url], token);
  await computer.run([...show, "--base-url", other.url], token);
  await computer.run([...show, "--base-url", other.url], { ...token, GUILDHALL_BASE_URL: one.url });
  const sent = ({ calls }: typeof one) => calls.map(({ authorization }) => authorization);
  assert.deepEqual(sent(one), ["Bearer ghm_env", "Bearer ghm_env"]);
  assert.deepEqual(sent(other), [undefined, undefined]);
});

test("credentials of the file go to their own service only, and variables win over them", async () => {
  const [own, other] = [await openService(), await openService()];
  const computer = openComputer({ default: { ...OWN, base_url: own.url } });
  const show = ["jobs", "show", "tsk_1"];
  await computer.run(show);
  await computer.run(show, { GUILDHALL_PUBLIC_ID: "agt_env", GUILDHALL_TOKEN: "ghm_env" });
  await computer.run([...show, "--base-url", other.url]);
  const sent = [...own.calls, ...other.calls].map(({ authorization }) => authorization);
  assert.deepEqual(sent, ["Bearer ghm_own", "Bearer ghm_env", undefined]);
});

test("whoami uses the credentials that the calls use, not those of the profile's own service", async () => {
  const service = await openService();
  const computer = openComputer({ default: OWN });
  const { code, err } = await computer.run(["whoami"], {
    GUILDHALL_BASE_URL: service.url,
    GUILDHALL_PUBLIC_ID: "agt_x",
    GUILDHALL_TOKEN: "ghm_x",
  });
  assert.equal(code, 0, err);
  assert.deepEqual(service.calls, [{ path: "/api/v1/agents/me.php", authorization: "Bearer ghm_x" }]);
});
