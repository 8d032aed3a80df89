import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { connectTcp, type Target } from "#lib/identity/domain/probe-connection.ts";
import type { Resolve } from "#lib/identity/domain/prober.ts";
import {
  addressesOf,
  answer,
  type Behaviour,
  breakOff,
  drip,
  flood,
  listenTls,
} from "#testing/outside/hostile-origin.ts";
import { SPECIAL_ADDRESSES } from "#testing/outside/special-addresses.ts";
import { createAuthority } from "../../../examples/demo/certificate-authority.ts";
import { createSend, type Delivery } from "./send.ts";

const HOST = "agent.example.com";
const PUBLIC = "93.184.216.34";
const OTHER_PUBLIC = "1.1.1.1";
const DELIVERY: Delivery = { url: `https://${HOST}/hook?a=1`, headers: { "webhook-id": "evt_x" }, body: '{"a":1}' };

const authority = await createAuthority();
const certificate = await authority.issue([HOST, "other.example.com"]);

/** Sends to a server that behaves like this, and notes every address that a connection was begun to. */
async function sendTo(behave: Behaviour, options: Partial<Delivery> & { resolve?: Resolve; deadlineMs?: number } = {}) {
  const { resolve = addressesOf(PUBLIC), deadlineMs = 2_000, ...rest } = options;
  const attempts: Target[] = [];
  let head = "";
  const origin = await listenTls(certificate, (socket, text) => {
    head = text;
    behave(socket, text);
  });
  const send = createSend({
    resolve,
    devHosts: new Map(),
    ca: [authority.certPem],
    deadlineMs,
    connect: (target) => {
      attempts.push(target);
      return connectTcp({ address: "127.0.0.1", port: origin.port });
    },
  });
  const attempt = await send({ ...DELIVERY, ...rest }).finally(() => origin.drained());
  return { attempt, attempts, head, connections: origin.connections };
}

describe("no connection is made to a forbidden address, at any attempt", () => {
  /** The outcome where no connection may be begun. */
  async function refused(url: string, ips: string[]) {
    const send = createSend({
      resolve: addressesOf(...ips),
      devHosts: new Map(),
      connect: ({ address }) => assert.fail(`a connection to ${address}`),
    });
    const { outcome, status, error } = await send({ ...DELIVERY, url });
    assert.deepEqual([outcome, status], ["refused_address", null], url);
    return error ?? "";
  }

  for (const ip of [...SPECIAL_ADDRESSES.ipv4, ...SPECIAL_ADDRESSES.ipv6]) {
    it(ip, async () => {
      for (const ips of [[ip], [PUBLIC, ip]])
        assert.doesNotMatch(await refused(DELIVERY.url, ips), /\d+\.\d+\.\d+\.\d+|::/);
    });
  }
  for (const host of [
    ..."127.0.0.1 2130706433 0x7f000001 127.1 [::1] [::ffff:127.0.0.1] 169.254.169.254 localhost a.localhost".split(
      " ",
    ),
    ..."metadata.google.internal printer.local user:pw@agent.example.com agent.example.com:8443".split(" "),
  ]) {
    it(`https://${host}/`, async () => void (await refused(`https://${host}/`, [PUBLIC])));
  }

  it("a name that leads elsewhere at the next attempt is checked again each time", async () => {
    const answers = [[PUBLIC], ["127.0.0.1"], [OTHER_PUBLIC], [PUBLIC, "169.254.169.254"], [PUBLIC]];
    let asked = 0;
    const resolve: Resolve = (host, signal) => addressesOf(...(answers[asked++] ?? []))(host, signal);
    const reached: string[][] = [];
    const outcomes: string[] = [];
    for (const _ of answers) {
      const { attempt, attempts } = await sendTo(answer("HTTP/1.1 204 No Content\r\n\r\n"), { resolve });
      outcomes.push(attempt.outcome);
      reached.push(attempts.map(({ address, port }) => `${address}:${port}`));
    }
    assert.deepEqual(outcomes, ["delivered", "refused_address", "delivered", "refused_address", "delivered"]);
    assert.deepEqual(reached, [[`${PUBLIC}:443`], [], [`${OTHER_PUBLIC}:443`], [], [`${PUBLIC}:443`]]);
    assert.equal(asked, answers.length);
  });
});

describe("only the status decides", () => {
  const cases: Record<string, [Behaviour, outcome: string, status: number | null]> = {
    "200": [answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), "delivered", 200],
    "299 without a body": [answer("HTTP/1.1 299 Fine\r\n\r\n"), "delivered", 299],
    "2xx whose body breaks off": [breakOff("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), "delivered", 200],
    "2xx with an endless body": [flood("HTTP/1.1 200 OK\r\n\r\n", "x"), "delivered", 200],
    "2xx with a body that drips": [drip("HTTP/1.1 200 OK\r\n\r\n", "x", 50), "delivered", 200],
    "100, then 202": [answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n"), "delivered", 202],
    "301": [answer("HTTP/1.1 301 Moved\r\nLocation: https://other.example.com/\r\n\r\n"), "redirect", 301],
    "307": [answer("HTTP/1.1 307 Moved\r\nLocation: http://169.254.169.254/\r\n\r\n"), "redirect", 307],
    "410": [answer("HTTP/1.1 410 Gone\r\n\r\n"), "gone", 410],
    "404": [answer("HTTP/1.1 404 Not Found\r\n\r\n"), "status", 404],
    "500": [answer("HTTP/1.1 500 Oops\r\n\r\n"), "status", 500],
    "an upgrade": [answer("HTTP/1.1 101 Upgrade\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"), "invalid_answer", null],
    "informational answers without end": [flood("", "HTTP/1.1 103 Early Hints\r\n\r\n"), "invalid_answer", null],
    "no HTTP": [answer("hello\r\n\r\n"), "invalid_answer", null],
    "headers without end": [flood("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"), "invalid_answer", null],
    "a connection that ends": [(socket) => socket.end(), "unreachable", null],
    "a connection that is reset": [(socket) => socket.destroy(), "unreachable", null],
    silence: [() => undefined, "timeout", null],
    "a head that drips": [drip("HTTP/1.1 200 OK\r\n", "X: y\r\n", 100), "timeout", null],
  };
  for (const [name, [behave, outcome, status]] of Object.entries(cases)) {
    it(`${name}: ${outcome}`, async () => {
      const { attempt, attempts } = await sendTo(behave, { deadlineMs: outcome === "timeout" ? 400 : 4_000 });
      assert.deepEqual([attempt.outcome, attempt.status], [outcome, status]);
      assert.equal(attempt.error === null, outcome === "delivered");
      assert.match(attempt.error ?? "A.", /^[\x20-\x7e]+\.$/);
      assert.equal(attempts.length, 1, "nothing is followed");
      assert.equal(attempt.text, null);
    });
  }
});

describe("what is sent and kept", () => {
  it("the request has its body, its headers, and no credential", async () => {
    const { head } = await sendTo(answer("HTTP/1.1 204 No Content\r\n\r\n"));
    assert.match(head, /^POST \/hook\?a=1 HTTP\/1\.1\r\nHost: agent\.example\.com\r\n/);
    assert.match(head, /\r\nContent-Length: 7\r\n/);
    assert.match(head, /\r\nwebhook-id: evt_x\r\n/);
    assert.doesNotMatch(head, /authorization|cookie/i);
  });

  it("of an answer that is asked for, the beginning is kept, without control characters", async () => {
    const { attempt } = await sendTo(flood("HTTP/1.1 500 Oops\r\n\r\n", "a\u0000\u202ebé"), { keepText: true });
    assert.equal(attempt.text?.length, 1_000);
    assert.match(attempt.text ?? "", /^(abé)+a?b?$/);
  });

  it("a wrong certificate and an unknown authority end the attempt", async () => {
    const wrong = await sendTo(answer("HTTP/1.1 204 No Content\r\n\r\n"), { url: "https://third.example.com/" });
    assert.equal(wrong.attempt.outcome, "tls");
    assert.equal(wrong.head, "");
  });

  it("the caller can end it", async () => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(new Error("stopping")), 100);
    await assert.rejects(
      sendTo(() => undefined, { signal: ending.signal }),
      /stopping/,
    );
  });
});
