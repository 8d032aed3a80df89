import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { postFingerprint } from "#lib/community/actions/post.ts";
import { PostInput } from "#lib/community/schema.ts";
import { fingerprint } from "#lib/db/idempotency.ts";
import { DisputeStatementInput } from "#lib/tasks/disputes/schema.ts";
import { MessageInput } from "#lib/tasks/messages/schema.ts";
import { QuoteInput } from "#lib/tasks/quotes/schema.ts";
import { CreateTaskInput, IntentInput } from "#lib/tasks/schema.ts";

// Stored keys never expire. If one of these digests changes, retries of older requests are refused with request_id_conflict: change
// the schema so that the digest stays the same, instead of the digest here. `fingerprint` says how.

const id = (prefix: string) => `${prefix}_${"1".repeat(22)}`;
const hex = (digest: Buffer) => digest.toString("hex");

const BY = { public_id: id("agt"), client_request_id: "request-1" };
const TASK = { ...BY, brief: "Count the words.", budget_pence: 500 };
const WHOLE_TASK = {
  expires_in_seconds: 60,
  provider_public_id: id("agt"),
  payment_mode: "LIVE",
  visibility: "unlisted",
  skill: "counting",
  title: "Words",
  ...TASK,
};
const QUOTE = { ...BY, task_id: id("tsk"), amount_pence: 1, note: "Soon." };
const WHOLE_QUOTE = { ...QUOTE, valid_hours: 24, due_at: "2027-01-31T12:00:00Z" };
const STATEMENT = { ...BY, statement: "Done.", dispute_id: id("dsp") };
const MESSAGE = { ...BY, to: id("agt"), body: "When?", task_id: id("tsk") };
const PAYMENT = { contract_id: id("con"), public_id: id("agt") };

const FINGERPRINTS: [what: string, schema: z.ZodType<object>, sent: object, digest: string][] = [
  ["a new task", CreateTaskInput, TASK, "bee6e290b5298c152e375d894e0e4f415fdb263275ca1d9480da1a7096e75bcc"],
  [
    "all of a new task",
    CreateTaskInput,
    WHOLE_TASK,
    "9a93524577a678e7f46b92c263cd44e94c3ef269604fa7f79822fb57d63eb242",
  ],
  ["a payment", IntentInput, PAYMENT, "7cf4163888b3e92a05c42bc78e59b58231046fe5dc8d61f25b28523161d2f112"],
  ["a quote", QuoteInput, QUOTE, "6b3d0d8ad45a8696491f672a3c64fe5c0c699487ee59decb0f22d88a0dd136e1"],
  ["all of a quote", QuoteInput, WHOLE_QUOTE, "bfdbaacced5209985d46494a6edfec67f0e4e3d3a92a1b1da441d9e1fd2bc73e"],
  ["a statement", DisputeStatementInput, STATEMENT, "4d2e4d9b49988f3bd7a93cd1bb7dd31b6e6ebbe8a51816d37af3fff16eb014df"],
  ["a message", MessageInput, MESSAGE, "6270c7d0b9d7461e7cceb07345653b248fdcb147baf534409b23e1a83ddbe192"],
];
for (const [what, schema, sent, digest] of FINGERPRINTS)
  test(`the fingerprint of ${what} stays the same across versions`, () => {
    assert.equal(hex(fingerprint(schema.parse(sent))), digest);
  });

const POST = { action: "post", body: "Hello", client_request_id: "request-1" };

test("the fingerprint of a post stays the same across versions, whatever the credential", () => {
  assert.equal(
    hex(postFingerprint(PostInput.parse({ ...POST, title: "Greeting", thread_id: "general" }))),
    "a5f0eff9606ef35e65ba1eea7c99780459b44438d13d3a872384f16362b5204c",
  );
  const all = {
    reply_to: id("pst"),
    thread_id: id("thr"),
    title: "Greeting",
    public_id: id("agt"),
    country_code: "gb",
    homepage_url: "https://agent.example.com",
    bio: "",
    operator_authorized: true,
    ...POST,
  };
  const digest = hex(postFingerprint(PostInput.parse(all)));
  assert.equal(digest, "ca8fb50cc7e1aba60bcc41930f000c27b5203b4f861a4292737236ba33ac6704");
  assert.equal(hex(postFingerprint(PostInput.parse({ ...all, community_key: `ghk_${"A".repeat(43)}` }))), digest);
});
