/** A JSON text's value, or where it is invalid and why. Lines and columns count from 1. */
export type JsonReading = { ok: true; value: unknown } | { ok: false; line: number; column: number; message: string };

class Fault extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/**
 * Reads JSON as strictly as terms need: text that two parsers could read differently (a key that appears twice, half a character,
 * a number that is too large) is rejected, although JSON.parse accepts it.
 */
export function readJson(text: string): JsonReading {
  try {
    return { ok: true, value: new Reader(text).whole() };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.at).split("\n");
    return { ok: false, line: before.length, column: (before.at(-1) ?? "").length + 1, message: error.message };
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: readonly [string, unknown][] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const MAX_DEPTH = 100;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    this.#skip();
    if (this.#at === this.#text.length) throw new Fault(0, "The text is empty.");
    const value = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fault(`The JSON ends before this, but ${this.#found()} follows.`);
    return value;
  }

  #skip(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
  }

  #fault(message: string, at = this.#at): Fault {
    return new Fault(at, message);
  }

  #found(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#text.length) return "the end";
    return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
      ? `“${character}”`
      : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  }

  #value(level: number): unknown {
    if (level > MAX_DEPTH) throw this.#fault(`This is nested too deeply: the limit is ${MAX_DEPTH} levels.`);
    const first = this.#text[this.#at];
    if (first === "{") return this.#object(level);
    if (first === "[") return this.#array(level);
    if (first === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    const [digits] = NUMBER.exec(this.#text) ?? [];
    if (digits === undefined) {
      const quote = "'‘’“”".includes(this.#text[this.#at] ?? "x") ? " Put text in straight double quotes." : "";
      throw this.#fault(`Expected a value but found ${this.#found()}.${quote}`);
    }
    const value = Number(digits);
    if (!Number.isFinite(value)) throw this.#fault("This number is too large.");
    this.#at += digits.length;
    if (/[\d.]/.test(this.#text[this.#at] ?? "")) throw this.#fault(`A number cannot continue with ${this.#found()}.`);
    return value;
  }

  #object(level: number): Record<string, unknown> {
    const begin = this.#at;
    const entries = new Map<string, unknown>();
    this.#at += 1;
    for (this.#skip(); this.#text[this.#at] !== "}"; this.#skip()) {
      if (entries.size > 0) this.#comma("}", begin);
      if (this.#text[this.#at] !== '"') throw this.#fault(this.#noKey(begin, entries.size > 0));
      const place = this.#at;
      const key = this.#string();
      if (entries.has(key)) throw this.#fault(`The key “${key}” appears twice.`, place);
      this.#skip();
      if (this.#text[this.#at] !== ":")
        throw this.#fault(`Expected a colon after the key “${key}” but found ${this.#found()}.`);
      this.#at += 1;
      this.#skip();
      entries.set(key, this.#value(level + 1));
    }
    this.#at += 1;
    return Object.fromEntries(entries);
  }

  #noKey(begin: number, isAfterComma: boolean): string {
    if (this.#at >= this.#text.length) return this.#unclosed("{", begin);
    if (isAfterComma && this.#text[this.#at] === "}") return "Remove the comma: no key follows it.";
    return `Expected a key in straight double quotes but found ${this.#found()}.`;
  }

  #array(level: number): unknown[] {
    const begin = this.#at;
    const values: unknown[] = [];
    this.#at += 1;
    for (this.#skip(); this.#text[this.#at] !== "]"; this.#skip()) {
      if (values.length > 0) {
        this.#comma("]", begin);
        if (this.#text[this.#at] === "]") throw this.#fault("Remove the comma: no value follows it.");
      }
      if (this.#at >= this.#text.length) throw this.#fault(this.#unclosed("[", begin));
      values.push(this.#value(level + 1));
    }
    this.#at += 1;
    return values;
  }

  #comma(end: string, begin: number): void {
    if (this.#at >= this.#text.length) throw this.#fault(this.#unclosed(end === "}" ? "{" : "[", begin));
    if (this.#text[this.#at] !== ",") throw this.#fault(`Expected a comma or ${end} but found ${this.#found()}.`);
    this.#at += 1;
    this.#skip();
  }

  #unclosed(opening: string, begin: number): string {
    return `The text ends here, but the ${opening} on line ${this.#text.slice(0, begin).split("\n").length} is not closed.`;
  }

  #string(): string {
    const begin = this.#at;
    let value = "";
    for (this.#at += 1; this.#text[this.#at] !== '"'; this.#at += 1) {
      const character = this.#text[this.#at];
      if (character === undefined) throw this.#fault("The closing quote of this text is missing.", begin);
      if (character < " ")
        throw this.#fault(
          character === "\n"
            ? "Write a line break inside a text as \\n."
            : "Write this control character with a backslash.",
        );
      value += character === "\\" ? this.#escape() : character;
    }
    this.#at += 1;
    if (!value.isWellFormed()) throw this.#fault("This text contains half of a character (a lone surrogate).", begin);
    return value;
  }

  #escape(): string {
    this.#at += 1;
    const letter = this.#text[this.#at] ?? "";
    const plain = ESCAPES[letter];
    if (plain !== undefined) return plain;
    const digits = this.#text.slice(this.#at + 1, this.#at + 5);
    if (letter !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) {
      throw this.#fault('Expected one of " \\ / b f n r t after the backslash, or u and four hexadecimal digits.');
    }
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
}
