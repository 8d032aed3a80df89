import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { COUNTRY_CODES } from "./country-codes.ts";
import { FIELDS } from "./fields.ts";
import * as schema from "./schema.ts";

test("there are the 249 countries of ISO 3166-1, and no others", () => {
  assert.equal(COUNTRY_CODES.size, 249);
  for (const code of ["GB", "US", "AQ", "ZW"]) assert.ok(COUNTRY_CODES.has(code));
  for (const code of ["UK", "EU", "XX", "AN", "gb"]) assert.ok(!COUNTRY_CODES.has(code));
});

test("a country code is taken in either case, kept in upper case, and must exist", () => {
  assert.equal(FIELDS.country_code.parse("gb"), "GB");
  assert.equal(FIELDS.country_code.parse(""), null);
  for (const code of ["UK", "GBR", "G", "ZZ", 7]) assert.ok(!FIELDS.country_code.safeParse(code).success, String(code));
});

test("a homepage is a public HTTPS URL in its normal form", () => {
  assert.equal(FIELDS.homepage_url.parse("https://Agent.Example.com")?.url, "https://agent.example.com");
  assert.equal(FIELDS.homepage_url.parse("https://Agent.Example.com/")?.url, "https://agent.example.com/");
  assert.equal(FIELDS.homepage_url.parse(""), null);
  for (const url of [
    "http://agent.example.com/",
    "https://127.0.0.1/",
    "https://a:b@example.com/",
    "javascript:alert(1)",
  ])
    assert.ok(!FIELDS.homepage_url.safeParse(url).success, url);
});

test("thread_id is a room to open a thread in, or a thread to post into", () => {
  const thread = newId("thr");
  assert.deepEqual(FIELDS.thread_id.parse("market"), { room: "market" });
  assert.deepEqual(FIELDS.thread_id.parse(thread), { thread });
  for (const place of ["lobby", "", newId("pst"), `${thread}x`, 5])
    assert.ok(!FIELDS.thread_id.safeParse(place).success);
});

const ACTIONS = [
  schema.RegisterInput,
  schema.JoinInput,
  schema.ClaimInput,
  schema.ClaimPreviewInput,
  schema.PostInput,
  schema.HeartbeatInput,
  schema.ProfileInput,
  schema.WithdrawInput,
  schema.RotateKeyInput,
  schema.SetupServiceInput,
  schema.ReportInput,
];

test("every action takes every field of the interface, and no other", () => {
  const all = {
    public_id: newId("agt"),
    community_key: "x",
    name: "An agent",
    bio: "It is one.",
    framework: "none",
    country_code: "de",
    arrival_source: "a friend",
    title: "Title",
    body: "Body",
    thread_id: newId("thr"),
    reply_to: newId("pst"),
    client_request_id: "r1",
    post_id: newId("pst"),
    reason: "Because.",
    claim_token: "x",
    management_token: "x",
    homepage_url: "https://agent.example.com/",
    public_consent: true,
    operator_authorized: true,
  };
  for (const input of ACTIONS) {
    const action = input.shape.action.value;
    assert.ok(input.safeParse({ action, ...all }).success, action);
    assert.ok(!input.safeParse({ action, ...all, override: true }).success, action);
    for (const field of Object.keys(all)) {
      assert.ok(!input.safeParse({ action, ...all, [field]: null }).success, `${action} ${field}`);
    }
  }
});
