import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mock, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createProber, type Resolve } from "#lib/identity/domain/prober.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { env } from "#lib/kernel/env.ts";
import { forFile, provingProber, startTestService } from "#testing/client.ts";
import {
  agentAndOwner,
  ask,
  authorizeUrl,
  Browser,
  challengeOf,
  consent,
  type Program,
  redeemCode,
  refresh,
} from "#testing/oauth.ts";
import {
  answer,
  type Behaviour,
  breakOff,
  drip,
  flood,
  listenTls,
  type Origin,
} from "#testing/outside/hostile-origin.ts";
import { serveHttp } from "#testing/served.ts";
import { createAuthority } from "../../examples/demo/certificate-authority.ts";

// Client ID metadata documents on a real HTTPS server, and the real client that fetches them.

const HOST = "client.test";
const REDIRECT = `https://${HOST}/callback`;
const OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
/** Names that lead inwards, all or in part. */
const INWARD: Record<string, string[]> = {
  "loopback.test": ["127.0.0.1"],
  "private.test": ["10.0.0.7"],
  "metadata.test": ["169.254.169.254"],
  "six.test": ["::1"],
  "both.test": ["93.184.216.34", "127.0.0.1"],
};

let origin: Origin;
let behave: Behaviour;
const asked: string[] = [];
forFile(async () => {
  const service = await startTestService();
  const { close } = await serveHttp();
  const authority = await createAuthority();
  origin = await listenTls(await authority.issue([HOST]), (socket, head) => {
    asked.push(head.split(" ", 2)[1] ?? "");
    behave(socket, head);
  });
  const resolve: Resolve = async (host) =>
    (INWARD[host] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const devHosts = new Map([[HOST, { address: "127.0.0.1", port: origin.port }]]);
  const { read } = createProber({ resolve, devHosts, ca: [authority.certPem], deadlineMs: 700 });
  replaceProber({ ...provingProber, read });
  const stop = async () => {
    replaceProber();
    await close();
    await origin.drained();
    await service.stop();
  };
  return { stop };
});

let made = 0;
function program(host = HOST): Program {
  made += 1;
  const verifier = randomBytes(32).toString("base64url");
  const clientId = `https://${host}/${made}.json`;
  return { clientId, verifier, challenge: challengeOf(verifier), redirectUri: REDIRECT };
}

const documentOf = ({ clientId }: Program, fields: object = {}) =>
  JSON.stringify({ client_id: clientId, client_name: "Client", redirect_uris: [REDIRECT], ...fields });
const serving = (body: string | Buffer, head = OK): Behaviour =>
  answer(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`, body);

/** Whether the owner is asked: otherwise it is an error that leads nowhere. */
async function isAsked(by: Program, fields: Record<string, string> = {}): Promise<boolean> {
  const response = await new Browser().get(authorizeUrl(by, fields));
  assert.ok(response.status === 303 || response.status === 400, String(response.status));
  return response.status === 303;
}

/** As another process, which has no document in its cache. */
function forget(): void {
  const shared = globalThis as { guildhallEnv?: unknown };
  shared.guildhallEnv = { ...env() };
}

const DOCUMENTS: Record<string, [(of: Program) => Behaviour, isAsked: boolean]> = {
  "that says what it should": [(of) => serving(documentOf(of)), true],
  "of the greatest size": [(of) => serving(documentOf(of).padEnd(64 * 1024)), true],
  "of one byte more": [(of) => serving(documentOf(of).padEnd(64 * 1024 + 1)), false],
  "without end": [() => flood(`${OK}\r\n`, " "), false],
  "that drips": [() => drip(`${OK}\r\n`, " "), false],
  "that never comes": [() => () => undefined, false],
  "that breaks off": [(of) => breakOff(`${OK}Content-Length: 1000\r\n\r\n`, documentOf(of)), false],
  "that redirects to itself": [
    () => answer(`HTTP/1.1 302 Found\r\nLocation: https://${HOST}/honest.json\r\nContent-Length: 0\r\n\r\n`),
    false,
  ],
  "that redirects inwards": [
    () => answer("HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"),
    false,
  ],
  "that is missing": [(of) => serving(documentOf(of), "HTTP/1.1 404 Not Found\r\n"), false],
  "that names another client": [(of) => serving(documentOf(of, { client_id: `https://${HOST}/0.json` })), false],
  "with a secret": [(of) => serving(documentOf(of, { client_secret: "s" })), true],
  "that wants to use a secret": [
    (of) => serving(documentOf(of, { token_endpoint_auth_method: "client_secret_basic" })),
    false,
  ],
  "with other addresses": [(of) => serving(documentOf(of, { redirect_uris: ["https://evil.test/"] })), false],
  "with a script as address": [(of) => serving(documentOf(of, { redirect_uris: ["javascript:alert(1)"] })), false],
  "that is no UTF-8": [(of) => serving(Buffer.from(documentOf(of, { client_name: "\u00e9" }), "latin1")), false],
  "that is not JSON": [() => serving("<html>"), false],
  "that is a list": [(of) => serving(`[${documentOf(of)}]`), false],
};
for (const [what, [behaviour, expected]] of Object.entries(DOCUMENTS))
  test(`a document ${what} ${expected ? "leads to" : "never leads to"} the consent page, after one request`, async () => {
    const by = program();
    behave = behaviour(by);
    asked.length = 0;
    const began = performance.now();
    assert.equal(await isAsked(by), expected);
    assert.deepEqual(asked, [new URL(by.clientId).pathname]);
    assert.ok(performance.now() - began < 5_000);
  });

for (const host of Object.keys(INWARD))
  test(`no document is fetched from ${host}, which leads inwards`, async () => {
    const before = origin.connections;
    assert.equal(await isAsked(program(host)), false);
    assert.equal(origin.connections, before);
  });

test("a document is fetched once while its headers allow that, and again by another process", async () => {
  const by = program();
  behave = serving(documentOf(by), `${OK}Cache-Control: max-age=3600\r\n`);
  asked.length = 0;
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  for (let again = 0; again < 3; again += 1) {
    assert.equal(await isAsked(by), true);
    mock.timers.tick(60_000);
  }
  mock.timers.reset();
  assert.equal(asked.length, 1);
  forget();
  await isAsked(by);
  assert.equal(asked.length, 2);
});

test("a document that changes after the consent moves no code elsewhere, and gets nothing without being asked again", async () => {
  const { agent, owner } = await agentAndOwner();
  const by = program();
  const honest = serving(documentOf(by));
  const evil = serving(documentOf(by, { redirect_uris: ["https://evil.test/"], client_name: "Bank" }));
  behave = honest;
  const browser = new Browser(owner);
  const allow = async (request: string) => (await consent(owner, agent, request)).body.redirect_to;
  const code = async (to: string) => new URL((await browser.get(to)).headers.get("Location") ?? "", env().baseUrl);

  // Between the consent page and the way back.
  const request = await ask(browser, by);
  behave = evil;
  forget();
  const back = await browser.get(await allow(request));
  assert.equal(back.headers.get("Location")?.startsWith("https://evil.test") ?? false, false);

  // Afterwards.
  behave = honest;
  forget();
  const first = await code(await allow(await ask(browser, by)));
  assert.equal(first.origin, `https://${HOST}`);
  const tokens = (await (await redeemCode(by, first.searchParams.get("code") ?? "")).json()) as {
    refresh_token: string;
  };
  behave = evil;
  forget();
  assert.equal(await isAsked(by), false, "the old address");
  assert.equal(await isAsked(by, { redirect_uri: "https://evil.test/" }), true, "the owner is asked about the new one");

  // Without its document, a program is unknown.
  behave = answer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  forget();
  const unknown = await refresh(by, tokens.refresh_token);
  assert.deepEqual([unknown.status, ((await unknown.json()) as { error: string }).error], [400, "invalid_client"]);
  behave = honest;
  await delay(1_000);
  forget();
  assert.equal((await refresh(by, tokens.refresh_token)).status, 200);
});
