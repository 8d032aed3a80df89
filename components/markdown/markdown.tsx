import { createElement, Fragment, type ReactNode } from "react";
import { Command } from "../command.tsx";
import { Anchored } from "../reference/prose.tsx";
import { type Block, type Inline, parseMarkdown } from "./parse.ts";

/** A document as parts of a page. Its first heading is left out: the page has a title already. */
export function Markdown({ text }: { text: string }) {
  const [first, ...others] = parseMarkdown(text);
  const blocks = first?.kind === "heading" && first.level === 1 ? others : [...(first ? [first] : []), ...others];
  return <div className="prose">{createElement(Fragment, null, ...blocks.map(showBlock))}</div>;
}

function showBlock(block: Block): ReactNode {
  switch (block.kind) {
    case "heading":
      return block.level === 3 ? <h3 id={block.id}>{block.text}</h3> : <Anchored id={block.id}>{block.text}</Anchored>;
    case "code":
      return <Command text={block.text} {...(block.caption ? { caption: block.caption } : {})} />;
    case "list": {
      const items = block.items.map((parts) => createElement("li", null, showInline(parts)));
      return createElement(block.ordered ? "ol" : "ul", null, ...items);
    }
    case "quotation":
      return <blockquote>{showInline(block.parts)}</blockquote>;
    case "rule":
      return <hr />;
    case "table":
      return showTable(block);
    case "paragraph":
      return <p>{showInline(block.parts)}</p>;
  }
}

/** The first cell of a row names the row. */
function showTable({ head, rows }: Extract<Block, { kind: "table" }>): ReactNode {
  const cell = (parts: Inline[], at: number) =>
    createElement(at === 0 ? "th" : "td", at === 0 ? { scope: "row" } : null, showInline(parts));
  const heads = head.map((parts) => createElement("th", { scope: "col" }, showInline(parts)));
  return (
    <table className="prose-table">
      <thead>{createElement("tr", null, ...heads)}</thead>
      {createElement("tbody", null, ...rows.map((cells) => createElement("tr", null, ...cells.map(cell))))}
    </table>
  );
}

function showInline(parts: readonly Inline[]): ReactNode {
  return createElement(
    Fragment,
    null,
    ...parts.map((part) => {
      if (typeof part === "string") return part;
      if (part.kind === "code") return createElement("code", null, part.text);
      const inner = showInline(part.parts);
      if (part.kind === "link") return createElement("a", { href: part.href }, inner);
      return createElement(part.kind === "strong" ? "strong" : "em", null, inner);
    }),
  );
}
