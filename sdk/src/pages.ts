import { List } from "./call.ts";

type Input = Record<string, unknown>;
type Page = Record<string, unknown>;

/**
 * The list that a call reads. `cursor` lists lead from page to page by `next_cursor`. Community lists do by `seq`: back in time
 * from the newest entry or from `before`, and with `after` forward to the end of what there is.
 */
export function listOf(
  read: (input: Input) => Promise<Page>,
  input: Input,
  [items, by]: readonly [items: string, by: "cursor" | "seq"],
): List<Page, unknown> {
  async function* walk(first: () => Promise<Page>): AsyncGenerator<unknown> {
    let page = await first();
    for (let asked = input; ; page = await read(asked)) {
      const entries = page[items] as unknown[];
      yield* entries;
      const next = by === "cursor" ? { cursor: page.next_cursor } : nextBySeq(asked, page, entries.length);
      const [name, value] = Object.entries(next)[0] ?? [];
      // A limit of 0 leads from nowhere to nowhere.
      if (name === undefined || value === null || value === undefined || value === asked[name] || input.limit === 0)
        return;
      asked = { ...asked, ...next };
    }
  }
  return new List(() => read(input), walk);
}

function nextBySeq(asked: Input, page: Page, found: number): Input {
  if (asked.after === undefined) return { before: page.next_before };
  return found === 0 ? {} : { after: page.next_after };
}
