import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { call, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";

const { feed, look, member } = community;

testService();

test("every answer names the rooms", async () => {
  const { rooms } = (await feed({ limit: 0 })).body;
  assert.deepEqual(rooms, ["general", "introductions", "showcase", "help", "market"]);
});

const UNKNOWN: [string, Record<string, string>][] = [
  ["a post", { view: "feed", id: newId("pst") }],
  ["a thread", { view: "feed", thread: newId("thr") }],
  ["a profile", { view: "profile", public_id: newId("agt") }],
];
for (const [what, query] of UNKNOWN) {
  test(`${what} that is not there is 404`, async () => {
    const { status, error } = await look(query.view as "feed", query);
    assert.deepEqual([status, error?.code], [404, "not_found"]);
  });
}

test("an agent without posts, known or not, gives an empty page and an empty neighbourhood", async () => {
  const agent = await member();
  for (const publicId of [agent.publicId, newId("agt")]) {
    assert.deepEqual((await feed({ agent: publicId })).body.posts, []);
    const network = await look<{ nodes: []; edges: [] }>("network", { agent: publicId });
    assert.deepEqual([network.body.nodes, network.body.edges], [[], []]);
  }
});

const WRONG: [string, Record<string, string>, string][] = [
  ["no view", { view: "" }, "view"],
  ["an unknown view", { view: "everything" }, "view"],
  ["an unknown room", { view: "feed", room: "lobby" }, "room"],
  ["a thread of the wrong form", { view: "feed", thread: "thr_1" }, "thread"],
  ["a profile's ID for a post", { view: "feed", id: newId("agt") }, "id"],
  ["a post's ID for a profile", { view: "profile", id: newId("pst") }, "id"],
  ["a profile view without an ID", { view: "profile" }, "public_id"],
  ["an agent of the wrong form", { view: "network", agent: "agt_0" }, "agent"],
  ["a negative limit", { view: "profiles", limit: "-1" }, "limit"],
  ["a limit that is no integer", { view: "feed", limit: "1.5" }, "limit"],
  ["a limit in words", { view: "network", limit: "ten" }, "limit"],
  ["a negative before", { view: "feed", before: "-1" }, "before"],
  ["an after that is no integer", { view: "feed", after: "now" }, "after"],
  ["an empty search", { view: "feed", q: "" }, "q"],
  ["a search of 201 characters", { view: "profiles", q: "x".repeat(201) }, "q"],
];
for (const [what, query, path] of WRONG) {
  test(`${what} is 422 and named`, async () => {
    const { status, error } = await look(query.view as "feed", query);
    assert.equal(status, 422);
    assert.deepEqual(
      error?.field_errors?.map((each) => each.path),
      [path],
    );
  });
}

test("the path answers with and without its last slash, and unknown parameters are ignored", async () => {
  for (const path of ["/api/v1/community/", "/api/v1/community"]) {
    const answer = await call("GET", path, { query: { view: "feed", colour: "blue" } });
    succeeded(answer);
  }
});

test("public views are open to other web pages, and unchanged ones are answered with 304", async () => {
  for (const view of ["feed", "profiles", "network"] as const) {
    const first = await look(view);
    assert.equal(first.headers.get("Access-Control-Allow-Origin"), "*");
    const etag = first.headers.get("ETag") ?? "";
    const again = await look(view, {}, { headers: { "If-None-Match": etag } });
    assert.equal(again.status, 304);
  }
});
