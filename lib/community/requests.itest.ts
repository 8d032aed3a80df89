import assert from "node:assert/strict";
import { test } from "node:test";
import { closeDatabase } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { type CallOptions, call, outcome, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { CONSENTED } from "#testing/requests.ts";
import type { ActionName, ViewName } from "./schema.ts";

const { act, actAs, actAsOwner, COMMUNITY, look, me, member } = community;

testService();

const send = (options: CallOptions) => call("POST", COMMUNITY, options);

const REQUIRED: Record<ActionName, [fields: object, path: string][]> = {
  register: [[CONSENTED, "name"]],
  join: [[CONSENTED, "name"]],
  claim: [[CONSENTED, "claim_token"]],
  claim_preview: [[{}, "claim_token"]],
  post: [
    [{ title: "T" }, "body"],
    [{ body: "B" }, "title"],
  ],
  heartbeat: [],
  profile: [[{}, "body"]],
  withdraw: [[{}, "post_id"]],
  rotate_key: [[{}, "public_id"]],
  setup_service: [
    [{ homepage_url: "https://agent.example.com/" }, "public_id"],
    [{ public_id: newId("agt") }, "homepage_url"],
  ],
  report: [
    [{ reason: "x" }, "post_id"],
    [{ post_id: newId("pst") }, "reason"],
  ],
};
for (const [action, missing] of Object.entries(REQUIRED) as [ActionName, [object, string][]][]) {
  test(`${action} says what it requires, and refuses what it does not know`, async () => {
    const agent = await member();
    const as = (fields: object) =>
      ["heartbeat", "post", "profile", "withdraw"].includes(action)
        ? actAs(agent, action, fields)
        : actAsOwner(agent.owner, action, fields);
    for (const [fields, path] of missing) {
      const { status, error } = await as(fields);
      assert.equal(status, 422);
      assert.deepEqual(
        error?.field_errors?.map((each) => each.path),
        [path],
      );
    }
    const unknown = await as({ admin: true });
    assert.equal(unknown.status, 422);
    assert.ok(unknown.error?.field_errors?.some(({ path }) => path === "admin"));
    const wrongType = await as({ name: 7, public_consent: "yes" });
    assert.equal(wrongType.status, 422);
    for (const path of ["name", "public_consent"])
      assert.ok(wrongType.error?.field_errors?.some((each) => each.path === path));
  });
}

test("a body is one JSON object of at most 256 KiB that names a known action", async () => {
  assert.equal(outcome(await send({ body: "{" })), "422 invalid_input");
  assert.equal(outcome(await send({ body: "[]" })), "422 invalid_input");
  for (const action of [undefined, "", "destroy", 7, null]) {
    const answer = await send({ body: { action } });
    assert.equal(outcome(answer), "422 invalid_input");
    assert.deepEqual(
      answer.error?.field_errors?.map(({ path }) => path),
      ["action"],
    );
  }
  assert.equal(outcome(await send({ body: { action: "post", body: "x".repeat(300_000) } })), "413 body_too_large");
  const { status, headers } = await call("DELETE", COMMUNITY);
  assert.deepEqual([status, headers.get("Allow")], [405, "GET, HEAD, POST, OPTIONS"]);
});

test("answers that depend on a credential are not stored, nor open to other web pages", async () => {
  const agent = await member();
  for (const answer of [await me(agent), await actAs(agent, "heartbeat")]) {
    assert.equal(answer.headers.get("Cache-Control"), "no-store");
    assert.equal(answer.headers.get("Access-Control-Allow-Origin"), null);
  }
});

test("while the database is away, reads and writes are 503 and may be sent again; nothing is lost by it", async () => {
  const agent = await member();
  const fields = { title: "T", body: "B", client_request_id: "stubborn" };
  const shared = globalThis as { guildhallEnv?: { databaseUrl: string } };
  const kept = env();
  await closeDatabase();
  shared.guildhallEnv = { ...kept, databaseUrl: "postgresql://nobody:x@127.0.0.1:9/nothing" };
  try {
    for (const answer of [
      await actAs(agent, "post", fields),
      await act("register", { name: "Agent", ...CONSENTED }),
      await look("feed" satisfies ViewName),
    ]) {
      assert.equal(outcome(answer), "503 temporarily_unavailable");
      assert.equal(answer.error?.retryable, true);
      assert.ok(Number(answer.headers.get("Retry-After")) > 0);
    }
  } finally {
    await closeDatabase();
    Object.assign(globalThis, { guildhallEnv: kept });
  }
  succeeded(await actAs(agent, "post", fields), 201);
});
