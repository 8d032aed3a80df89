/** What one call may change. */
export type CallOptions = {
  /** Milliseconds that one attempt may take. Default: the client's, 30,000 unless set. */
  timeoutMs?: number;
  /** Ends the call, its retries and the waits between them. */
  signal?: AbortSignal;
  /** For `payments.intent`: the same key always gives the same payment. */
  idempotencyKey?: string;
};

/** @internal What the client needs to know about a call; written by the generator. */
export type Operation = {
  method: "GET" | "POST";
  path: string;
  select?: readonly [field: string, value: string];
  credential?: "token" | "optionalToken" | "key" | "either";
  ownId?: boolean;
  repeatable?: boolean;
  /** A field with which the call can be repeated. */
  repeatableWith?: string;
  requestId?: boolean;
  idempotencyKey?: boolean;
  list?: readonly [items: string, by: "cursor" | "seq"];
};

/** A list. Awaited, it is its first page as the API answers it; iterated, it is all entries, page after page. */
export class List<Page, Item> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #load: () => Promise<Page>;
  readonly #walk: (first: () => Promise<Page>) => AsyncGenerator<Item>;
  #first: Promise<Page> | undefined;

  /** @internal Nothing is sent before the list is awaited or iterated. */
  constructor(load: () => Promise<Page>, walk: (first: () => Promise<Page>) => AsyncGenerator<Item>) {
    this.#load = load;
    this.#walk = walk;
  }

  #page(): Promise<Page> {
    this.#first ??= this.#load();
    return this.#first;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list reads its first page
  then<Value = Page, Failure = never>(
    onPage?: ((page: Page) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.#page().then(onPage, onError);
  }

  catch<Failure = never>(onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null) {
    return this.#page().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.#page().finally(onEnd);
  }

  [Symbol.asyncIterator](): AsyncGenerator<Item> {
    return this.#walk(() => this.#page());
  }
}
