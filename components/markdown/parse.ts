// The small part of Markdown that this site's own documents use: headings, paragraphs, lists of one level, code, quotations, tables and
// rules; within a line code, strong, emphasis and links. Everything else, HTML above all, is text.

export type Inline =
  | string
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis"; parts: Inline[] }
  | { kind: "link"; href: string; parts: Inline[] };

export type Block =
  | { kind: "heading"; level: 1 | 2 | 3; id: string; text: string }
  | { kind: "paragraph" | "quotation"; parts: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "code"; caption: string; text: string }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

const FENCE = /^```\S*(?: (.*))?$/;
const ITEM = /^(?:[-*]|(\d{1,9})[.)]) +/;
const HEADING = /^(#{1,3}) +(.*?)(?: *\{#([\w-]+)\})?$/;
const BELOW_HEAD = /^\|(?: *:?-+:? *\|)+$/;
const RULE = /^(?:---+|\*\*\*+)$/;

/** The blocks of a document. Takes time in proportion to its length. */
export function parseMarkdown(text: string): Block[] {
  const lines = text.replaceAll(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (fence) {
      const end = lines.indexOf("```", at + 1);
      const last = end === -1 ? lines.length : end;
      blocks.push({ kind: "code", caption: fence[1] ?? "", text: lines.slice(at + 1, last).join("\n") });
      at = last + 1;
    } else if (heading) {
      const [, marks = "#", title = "", id = slug(title)] = heading;
      blocks.push({ kind: "heading", level: marks.length as 1 | 2 | 3, id, text: title });
      at += 1;
    } else if (line.trim() === "" || RULE.test(line)) {
      if (line.trim() !== "") blocks.push({ kind: "rule" });
      at += 1;
    } else {
      const own = [line];
      while (at + own.length < lines.length && continues(line, lines[at + own.length] ?? ""))
        own.push(lines[at + own.length] ?? "");
      blocks.push(blockOf(own));
      at += own.length;
    }
  }
  return blocks;
}

/** Whether a line belongs to the paragraph, quotation or list that the first line began. */
function continues(first: string, line: string): boolean {
  if (line.trim() === "" || FENCE.test(line) || HEADING.test(line) || RULE.test(line)) return false;
  return ITEM.test(first) || !ITEM.test(line);
}

function blockOf(lines: string[]): Block {
  const [first = ""] = lines;
  const item = ITEM.exec(first);
  if (item) {
    const items: string[] = [];
    for (const line of lines) {
      if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
      else items.push(`${items.pop() ?? ""} ${line.trim()}`);
    }
    return { kind: "list", ordered: item[1] !== undefined, items: items.map(parseInline) };
  }
  if (first.startsWith("|") && BELOW_HEAD.test(lines[1]?.trim() ?? ""))
    return { kind: "table", head: cellsOf(first), rows: lines.slice(2).map(cellsOf) };
  if (first.startsWith(">"))
    return { kind: "quotation", parts: parseInline(lines.map((line) => line.replace(/^> ?/, "")).join(" ")) };
  return { kind: "paragraph", parts: parseInline(lines.map((line) => line.trim()).join(" ")) };
}

/** The cells of a line of a table. A bar within a cell has a backslash before it. */
function cellsOf(line: string): Inline[][] {
  const cells = line
    .trim()
    .split(/(?<!\\)\|/)
    .slice(1);
  if (cells.at(-1) === "") cells.pop();
  return cells.map((cell) => parseInline(cell.trim().replaceAll("\\|", "|")));
}

const slug = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

// Each alternative begins with a character of its own and cannot contain it, so that no text takes long.
const INLINE = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|\[([^[\]\n]+)\]\(([^()\s]+)\)|\\([\\`*_[\]()#>{}.!-])/g;

export function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, emphasis, label, href, escaped] = found;
    if (found.index > end) parts.push(text.slice(end, found.index));
    end = found.index + whole.length;
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (strong !== undefined) parts.push({ kind: "strong", parts: parseInline(strong) });
    else if (emphasis !== undefined) parts.push({ kind: "emphasis", parts: parseInline(emphasis) });
    else if (escaped !== undefined) parts.push(escaped);
    else if (label !== undefined && href !== undefined) {
      if (isSafe(href)) parts.push({ kind: "link", href, parts: parseInline(label) });
      else parts.push(...parseInline(label));
    }
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** Links lead to pages, to places in this one, or to a mailbox: never to scripts or data. */
function isSafe(href: string): boolean {
  return /^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i.test(href) && !/[\s\p{Cc}"'<>\\]/u.test(href);
}
