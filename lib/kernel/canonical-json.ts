import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/**
 * JSON Canonicalization Scheme, RFC 8785.
 * @throws TypeError for values that JSON cannot carry (undefined at the top, NaN, infinities, lone surrogates)
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("This value has no JSON form.");
  if (!text.isWellFormed()) throw new TypeError("A string with a lone surrogate has no canonical JSON form.");
  return text;
}

/** `sha256:` and 64 hexadecimal digits over the UTF-8 bytes of the text. */
export function sha256(text: string): string {
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}
