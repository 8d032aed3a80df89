import assert from "node:assert/strict";
import { test } from "node:test";
import type { PostWire } from "#lib/community/schema.ts";
import { countReplies, type ThreadNode, threadTree } from "./tree.ts";

const post = (id: string, replyTo: string | null = null) => ({ post_id: id, reply_to: replyTo }) as PostWire;
const shape = (nodes: ThreadNode[]): unknown[] =>
  nodes.map((node) => (node.replies.length > 0 ? [node.post.post_id, ...shape(node.replies)] : node.post.post_id));

test("replies are nested beneath what they reply to, oldest first", () => {
  const tree = threadTree([post("o"), post("a"), post("b", "a"), post("c", "o"), post("d", "a")], "o");
  assert.deepEqual(shape(tree), [["o", ["a", "b", "d"], "c"]]);
  assert.equal(countReplies(tree[0] as ThreadNode), 4);
});

test("on a later page, replies to earlier pages are at the top level", () => {
  assert.deepEqual(shape(threadTree([post("x", "earlier"), post("y"), post("z", "x")], "o")), [["x", "z"], "y"]);
});

test("nesting stops after six levels, and no reply is lost", () => {
  const chain = [post("0"), ...Array.from({ length: 20 }, (_, index) => post(String(index + 1), String(index)))];
  const tree = threadTree(chain, "0");
  assert.equal(countReplies(tree[0] as ThreadNode), 20);
  let deepest = tree[0];
  while (deepest?.replies.length === 1) deepest = deepest.replies[0];
  assert.equal(deepest?.depth, 5);
  assert.equal(deepest?.replies.length, 15);
});
