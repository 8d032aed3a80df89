import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parsePublicHttpsUrl } from "./endpoint-host.ts";

const label63 = "a".repeat(63);
const longHost = (lastLabel: number) => `${label63}.${label63}.${label63}.${"b".repeat(lastLabel - 3)}.uk`;

describe("a public https: URL is read into its normal form", () => {
  const accepted: [text: string, host: string, url?: string][] = [
    ["https://agent.example.com/", "agent.example.com"],
    ["https://agent.example.com", "agent.example.com"],
    ["HTTPS://Agent.example.com:443", "agent.example.com", "https://agent.example.com"],
    ["https://agent.example.com?", "agent.example.com", "https://agent.example.com/?"],
    ["https://agent.example.com/a2a?x=1#top", "agent.example.com"],
    ["HTTPS://Agent.EXAMPLE.com/Path", "agent.example.com", "https://agent.example.com/Path"],
    ["https://agent.example.com:443/", "agent.example.com", "https://agent.example.com/"],
    ["https://agent.example.com:8443/", "agent.example.com"],
    ["https://agent.example.com./x", "agent.example.com", "https://agent.example.com/x"],
    ["https://agent.example.com.:8443/x", "agent.example.com", "https://agent.example.com:8443/x"],
    ["https://agent.example.com/@user", "agent.example.com"],
    ["https://bücher.example/", "xn--bcher-kva.example", "https://xn--bcher-kva.example/"],
    ["https://xn--bcher-kva.example/", "xn--bcher-kva.example"],
    ["https://例え.jp/", "xn--r8jz45g.jp", "https://xn--r8jz45g.jp/"],
    ["https://ｅxample。com/", "example.com", "https://example.com/"],
    ["https://ex%61mple.com/", "example.com", "https://example.com/"],
    ["https://alpha.test/", "alpha.test"],
    ["https://nowhere.invalid/", "nowhere.invalid"],
    ["https://1password.com/", "1password.com"],
    ["https://127.0.0.1.nip.io/", "127.0.0.1.nip.io"],
    ["https://localhost.example.com/", "localhost.example.com"],
    ["https://a--b.example/", "a--b.example"],
    [`https://${label63}.com/`, `${label63}.com`],
    [`https://${longHost(61)}/`, longHost(61)],
    [`https://example.com/${"a".repeat(480)}`, "example.com"],
  ];
  for (const [text, host, url = text] of accepted) {
    it(text.slice(0, 60), () => assert.deepEqual(parsePublicHttpsUrl(text), { ok: true, url, host }));
  }
});

/** The texts of a list that white space parts. */
const parted = (list: string) => list.trim().split(/\s+/);

const refused: Record<string, { reason: RegExp; texts: string[] }> = {
  "an address without https": {
    reason: /must be an https: URL/,
    texts: [
      "",
      ...parted(`
        example.com //example.com/ http://example.com/ ftp://example.com/ file:///etc/passwd
        javascript:alert(1) data:text/plain,x https:example.com https:/example.com wss://example.com/
        gopher://example.com/ httpss://example.com \u200bhttps://example.com/`),
    ],
  },
  "a URL without a host": {
    reason: /must name a host/,
    texts: ["https://", "https:///example.com/", "https://?x", "https://#x"],
  },
  "hidden or rewritten characters": {
    reason: /must not contain white space/,
    texts: [
      ...[" https://example.com/", "https://example.com/ ", "https://exa\tmple.com/", "https://exa\nmple.com/"],
      ...["https://example.com/\r\nHost: evil.com", "https://example.com\0.evil.com/", "https:\\\\example.com\\"],
      ...["https://evil.com\\@example.com/", "https://example.com/\u0085", "https://exa\u00a0mple.com/"],
      "\ufeffhttps://a.com",
    ],
  },
  credentials: {
    reason: /user name or password/,
    texts: parted(`
      https://user@example.com/ https://user:pass@example.com/ https://:pass@example.com/ https://@example.com/
      https://example.com@127.0.0.1/ https://example.com:443@169.254.169.254/ https://a@b@example.com/`),
  },
  "an IP address in any spelling": {
    reason: /not an IP address|valid URL with a DNS name/,
    texts: parted(`
      https://127.0.0.1/ https://8.8.8.8/ https://127.0.0.1./ https://2130706433/ https://0x7f000001/
      https://0x7f.0.0.1/ https://0177.0.0.1/ https://017700000001/ https://127.1/ https://127.0.1/
      https://0/ https://0.0.0.0/ https://0x/ https://00000/ https://4294967295/ https://4294967296/
      https://１２７.０.０.１/ https://127。0。0。1/ https://①②⑦.0.0.1/ https://%31%32%37.0.0.1/
      https://0X7F.0x0.00.1/ https://169.254.169.254/latest/ https://0251.0376.0251.0376/ https://1.2.3.4.5/
      https://256.1.1.1/ https://example.0x1/ https://example.1/ https://1.2.3.08/ https://1.2.3.4:8443/
      https://[::1]/ https://[::]/ https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[fd00::1]/
      https://[2606:4700::1111]/ https://[64:ff9b::7f00:1]/ https://[2002:7f00:1::]/ https://[fe80::1%25eth0]/
      https://[v1.x]/ https://[::1/ https://::1/`),
  },
  "a name that can never be public": {
    reason: /must be a public name/,
    texts: parted(`
      https://localhost/ https://LOCALHOST/ https://localhost./ https://localhost:3000/ https://a.localhost/
      https://lｏcalhost/ https://printer.local/ https://metadata.google.internal/ https://db.internal./
      https://duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion/ https://a.alt/
      https://1.0.0.127.in-addr.arpa/ https://nas.home.arpa/ https://localhost.localdomain/ https://host.lan/
      https://www.intranet/ https://x.corp/ https://x.home/ https://x.private/ https://x.mail/`),
  },
  "a single label": {
    reason: /must be a full domain name/,
    texts: parted("https://example/ https://com/ https://metadata/ https://kubernetes./ https://test/ https://./"),
  },
  "a host that DNS cannot hold": {
    reason: /valid host name|valid URL with a DNS name|at most 253 characters|not an IP address/,
    texts: [
      `https://${"a".repeat(64)}.com/`,
      `https://${longHost(62)}/`,
      ...parted(`
        https://exa_mple.com/ https://-example.com/ https://example-.com/ https://a..example.com/ https://.example.com/
        https://example.com../ https://../ https://*.example.com/ https://exa!mple.com/ https://exa'mple.com/
        https://exa%20mple.com/ https://exa%00mple.com/ https://a_b.c.example/ https://exa<mple.com/
        https://example.com:99999/ https://example.com:x/ https://exa|mple.com/ https://$(id).example.com/
        https://a,b.example.com/`),
    ],
  },
  "more than 500 characters": {
    reason: /at most 500 characters/,
    texts: [`https://example.com/${"a".repeat(481)}`, `https://example.com/${"é".repeat(200)}`, "x".repeat(1_000_000)],
  },
};

for (const [what, { reason, texts }] of Object.entries(refused)) {
  describe(`${what} is refused with a reason`, () => {
    for (const text of texts) {
      it(JSON.stringify(text).slice(0, 80), () => {
        const parsed = parsePublicHttpsUrl(text);
        assert.equal(parsed.ok, false);
        assert.match(parsed.reason, reason);
      });
    }
  });
}
