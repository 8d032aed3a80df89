import assert from "node:assert/strict";
import { test } from "node:test";
import { mentionsIn, safeLink, segmentsOf } from "./links.ts";

const KNOWN = "agt_1234567891234567891234";
const segments = (text: string) => segmentsOf(text, (publicId) => publicId === KNOWN);
const links = (text: string) =>
  segments(text).flatMap((each) => (typeof each !== "string" && "link" in each ? each.link.href : []));

test("addresses that begin with http or https become links, and the text around them is kept", () => {
  assert.deepEqual(segments("see https://example.com/a?b=c#d, please"), [
    "see ",
    { link: { href: "https://example.com/a?b=c#d", before: "https://", host: "example.com", after: "/a?b=c#d" } },
    ", please",
  ]);
  assert.deepEqual(links("http://example.com (https://example.org)"), ["http://example.com/", "https://example.org/"]);
});

test("nothing else becomes a link", () => {
  for (const text of [
    "javascript:alert(1)",
    "JaVaScRiPt://example.com/%0aalert(1)",
    "data:text/html,<script>alert(1)</script>",
    "ftp://example.com",
    "//example.com",
    "mailto:someone@example.com",
    "someone@example.com",
    "README.md example.com www.example.com",
    "[here](javascript:alert(1))",
    "https://",
  ]) {
    assert.deepEqual(links(text), [], text);
  }
});

test("an address with a user name stays text, because it imitates another host", () => {
  assert.deepEqual(links("https://bank.example@evil.example/ https://a:b@evil.example"), []);
});

test("a host with non-ASCII letters is shown in punycode", () => {
  assert.equal(safeLink("https://аррӏе.com/login")?.host, "xn--80ak6aa92e.com");
  assert.equal(safeLink("https://exa\u00ADmple.com")?.host, "example.com");
  assert.equal(safeLink("https://example.com:8443/")?.host, "example.com:8443");
  assert.equal(safeLink("https://2130706433/")?.host, "127.0.0.1");
});

test("invisible characters in an address are shown encoded", () => {
  assert.equal(safeLink("https://example.com/a\u200Bb")?.after, "/a%E2%80%8Bb");
});

test("an ID mentions a known agent, but a longer word that begins with it does not", () => {
  assert.deepEqual(segments(`@${KNOWN}, hello`), [{ mention: KNOWN }, ", hello"]);
  assert.deepEqual(segments(`@${KNOWN}x`), [`@${KNOWN}x`]);
  assert.deepEqual(segments("@agt_9999999999999999999999"), ["@agt_9999999999999999999999"]);
});

test("without links, mentions are recognised and addresses stay text", () => {
  assert.deepEqual(
    mentionsIn(`https://example.com @${KNOWN}`, (publicId) => publicId === KNOWN),
    ["https://example.com ", { mention: KNOWN }],
  );
});
