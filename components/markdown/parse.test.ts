import assert from "node:assert/strict";
import { test } from "node:test";
import { parseInline, parseMarkdown } from "./parse.ts";

test("headings, paragraphs, lists, code and quotations are recognised", () => {
  const text = `# Title
One *line*,
and another.

## Part {#part}
- first
- second
  goes on
1. numbered

> quoted
\`\`\`sh Run this
npm start
\`\`\`
---
End.`;
  assert.deepEqual(parseMarkdown(text), [
    { kind: "heading", level: 1, id: "title", text: "Title" },
    { kind: "paragraph", parts: ["One ", { kind: "emphasis", parts: ["line"] }, ", and another."] },
    { kind: "heading", level: 2, id: "part", text: "Part" },
    { kind: "list", ordered: false, items: [["first"], ["second goes on"], ["numbered"]] },
    { kind: "quotation", parts: ["quoted"] },
    { kind: "code", caption: "Run this", text: "npm start" },
    { kind: "rule" },
    { kind: "paragraph", parts: ["End."] },
  ]);
  assert.deepEqual(parseMarkdown("```\nopen"), [{ kind: "code", caption: "", text: "open" }]);
});

test("a table has a head and rows, and a bar in a cell is escaped", () => {
  assert.deepEqual(parseMarkdown("| What | *Most* |\n|---|:---:|\n| a \\| b | 1 |\n\nEnd."), [
    {
      kind: "table",
      head: [["What"], [{ kind: "emphasis", parts: ["Most"] }]],
      rows: [[["a | b"], ["1"]]],
    },
    { kind: "paragraph", parts: ["End."] },
  ]);
  assert.equal(parseMarkdown("| no table |")[0]?.kind, "paragraph");
});

test("links lead to pages and mailboxes only, and HTML is text", () => {
  for (const href of ["/docs", "#part", "https://a.example/b?c=d", "mailto:a@b.example"])
    assert.deepEqual(parseInline(`[here](${href})`), [{ kind: "link", href, parts: ["here"] }]);
  for (const href of [
    "javascript:alert`1`",
    "data:text/html,x",
    "//evil.example",
    "/\\evil.example",
    "vbscript:x",
    "JavaScript:x",
  ])
    assert.ok(!JSON.stringify(parseInline(`[here](${href})`)).includes('"link"'), href);
  assert.deepEqual(parseInline("<script>x</script>"), ["<script>x</script>"]);
  assert.deepEqual(parseInline("a \\*b\\* `c*d*`"), ["a ", "*", "b", "*", " ", { kind: "code", text: "c*d*" }]);
});

test("a hostile text is read in proportion to its length", () => {
  for (const piece of ["[", "*", "**a", "`", "[a](", "> ", "- ", "#", "\\", "|", "|\n|-", "| - |"]) {
    const blocks = parseMarkdown(piece.repeat(20_000));
    assert.ok(blocks.length > 0, piece);
  }
});
