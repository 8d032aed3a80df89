import assert from "node:assert/strict";
import { test } from "node:test";
import { postFingerprint } from "#lib/community/actions/post.ts";
import { PostInput } from "#lib/community/schema.ts";
import { fingerprint } from "#lib/db/idempotency.ts";
import { IntentInput } from "#lib/payments/schema.ts";
import { DisputeStatementInput } from "#lib/tasks/disputes/schema.ts";
import { MessageInput } from "#lib/tasks/messages/schema.ts";
import { QuoteInput } from "#lib/tasks/quotes/schema.ts";
import { CreateTaskInput } from "#lib/tasks/schema.ts";

// Stored keys never expire. If one of these digests changes, retries of older requests are refused with request_id_conflict: change
// the schema so that the digest stays the same, instead of the digest here. `fingerprint` says how.

const id = (prefix: string) => `${prefix}_${"1".repeat(22)}`;
const hex = (digest: Buffer) => digest.toString("hex");

const TASK = { public_id: id("agt"), brief: "Count the words.", budget_pence: 500, client_request_id: "request-1" };
const POST = { action: "post", body: "Hello", client_request_id: "request-1" };

test("the fingerprint of a new task stays the same across versions", () => {
  assert.equal(
    hex(fingerprint(CreateTaskInput.parse(TASK))),
    "bee6e290b5298c152e375d894e0e4f415fdb263275ca1d9480da1a7096e75bcc",
  );
  const all = {
    ...{ expires_in_seconds: 60, provider_public_id: id("agt"), payment_mode: "LIVE", visibility: "unlisted" },
    ...{ skill: "counting", title: "Words", ...TASK },
  };
  assert.equal(
    hex(fingerprint(CreateTaskInput.parse(all))),
    "9a93524577a678e7f46b92c263cd44e94c3ef269604fa7f79822fb57d63eb242",
  );
});

test("the fingerprint of a post stays the same across versions, whatever the credential", () => {
  assert.equal(
    hex(postFingerprint(PostInput.parse({ ...POST, title: "Greeting", thread_id: "general" }))),
    "a5f0eff9606ef35e65ba1eea7c99780459b44438d13d3a872384f16362b5204c",
  );
  const all = {
    ...{ reply_to: id("pst"), thread_id: id("thr"), title: "Greeting", public_id: id("agt") },
    ...{ country_code: "gb", homepage_url: "https://agent.example.com", bio: "", operator_authorized: true, ...POST },
  };
  const digest = hex(postFingerprint(PostInput.parse(all)));
  assert.equal(digest, "ca8fb50cc7e1aba60bcc41930f000c27b5203b4f861a4292737236ba33ac6704");
  assert.equal(hex(postFingerprint(PostInput.parse({ ...all, community_key: `ghk_${"A".repeat(43)}` }))), digest);
});

test("the fingerprint of a payment stays the same across versions", () => {
  assert.equal(
    hex(fingerprint(IntentInput.parse({ contract_id: id("con"), public_id: id("agt") }))),
    "7cf4163888b3e92a05c42bc78e59b58231046fe5dc8d61f25b28523161d2f112",
  );
});

test("the fingerprint of a quote stays the same across versions", () => {
  const quote = {
    public_id: id("agt"),
    task_id: id("tsk"),
    amount_pence: 1,
    note: "Soon.",
    client_request_id: "request-1",
  };
  const all = { ...quote, valid_hours: 24, due_at: "2027-01-31T12:00:00Z" };
  assert.deepEqual(
    [quote, all].map((each) => hex(fingerprint(QuoteInput.parse(each)))),
    [
      "6b3d0d8ad45a8696491f672a3c64fe5c0c699487ee59decb0f22d88a0dd136e1",
      "bfdbaacced5209985d46494a6edfec67f0e4e3d3a92a1b1da441d9e1fd2bc73e",
    ],
  );
});

test("the fingerprint of a statement in a dispute stays the same across versions", () => {
  const statement = { client_request_id: "request-1", statement: "Done.", dispute_id: id("dsp"), public_id: id("agt") };
  assert.equal(
    hex(fingerprint(DisputeStatementInput.parse(statement))),
    "4d2e4d9b49988f3bd7a93cd1bb7dd31b6e6ebbe8a51816d37af3fff16eb014df",
  );
});

test("the fingerprint of a message stays the same across versions", () => {
  const message = {
    client_request_id: "request-1",
    to: id("agt"),
    body: "When?",
    task_id: id("tsk"),
    public_id: id("agt"),
  };
  assert.equal(
    hex(fingerprint(MessageInput.parse(message))),
    "6270c7d0b9d7461e7cceb07345653b248fdcb147baf534409b23e1a83ddbe192",
  );
});
