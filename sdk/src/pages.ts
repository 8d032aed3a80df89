import { List, type Paging } from "./call.ts";

type Input = Record<string, unknown>;
type AnyPage = Record<string, unknown>;

/**
 * The list that a call reads. `cursor` lists lead from page to page by `next_cursor`. Community lists do by `seq`: back in time
 * from the newest entry or from `before`, and with `after` forward to the end of what there is.
 */
export function listOf<Page, Item>(
  read: (input: Input) => Promise<unknown>,
  input: Input,
  { items, by }: Paging,
): List<Page, Item> {
  async function* walk(first: () => Promise<unknown>): AsyncGenerator<Item> {
    let page = (await first()) as AnyPage;
    for (let asked = input; ; page = (await read(asked)) as AnyPage) {
      const entries = page[items] as Item[];
      yield* entries;
      const next = by === "cursor" ? { cursor: page.next_cursor } : nextBySeq(asked, page, entries.length);
      const [name, value] = Object.entries(next)[0] ?? [];
      // A limit of 0 leads from nowhere to nowhere.
      if (name === undefined || value === null || value === undefined || value === asked[name] || input.limit === 0)
        return;
      asked = { ...asked, ...next };
    }
  }
  return new List<Page, Item>(() => read(input) as Promise<Page>, walk);
}

function nextBySeq(asked: Input, page: AnyPage, found: number): Input {
  if (asked.after === undefined) return { before: page.next_before };
  return found === 0 ? {} : { after: page.next_after };
}
