/** What one call may change. */
export type CallOptions = {
  /** Milliseconds that one attempt may take. Default: the client's, 30,000 unless set. */
  timeoutMs?: number;
  /** Ends the call, its retries and the waits between them. */
  signal?: AbortSignal | undefined;
  /** For `payments.intent`: the same key always gives the same payment. */
  idempotencyKey?: string;
};

/** What the client adds to a call, and when it may send it again. */
export type Rule = {
  /** What the call sends: always, or only if the client has one. */
  credential?: "token" | "optionalToken" | "key" | "either";
  /** The client's own `public_id` is filled in. */
  ownId?: boolean;
  /** Repeating the write has no further effect. Reads are always repeatable. */
  repeatable?: boolean;
  /** A field with which the write can be repeated. */
  repeatableWith?: string;
  /** The client makes a `client_request_id`, by which the service recognises a repetition. */
  requestId?: boolean;
  /** The same by an `Idempotency-Key`. */
  idempotencyKey?: boolean;
};
export type Rules = Readonly<Record<string, Rule>>;

/** How a list's answer leads to its next page. */
export type Paging = { items: string; by: "cursor" | "seq" };

/** What the generated methods are made of. */
export type Requests = {
  request<Answer>(
    name: string,
    method: "GET" | "POST",
    path: string,
    input: object | undefined,
    options: CallOptions | undefined,
  ): Promise<Answer>;
  list<Page, Item>(
    name: string,
    path: string,
    paging: Paging,
    input: object | undefined,
    options: CallOptions | undefined,
  ): List<Page, Item>;
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
