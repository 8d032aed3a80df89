import { createHash } from "node:crypto";

/**
 * JSON Canonicalization Scheme (RFC 8785): no white space, keys in the order of their UTF-16 code units, numbers and strings
 * as ECMAScript writes them. Implemented here so that a party can check the terms independently of the service.
 * @throws TypeError for anything that JSON cannot carry: undefined, NaN, infinities, lone surrogates
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.keys(value).sort();
    return `{${members.map((key) => `${string(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`).join(",")}}`;
  }
  if (typeof value === "string") return string(value);
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`${value} has no JSON form.`);
  if (value === null || typeof value === "number" || typeof value === "boolean") return JSON.stringify(value);
  throw new TypeError(`A ${typeof value} has no JSON form.`);
}

function string(text: string): string {
  if (!text.isWellFormed()) throw new TypeError("A string with a lone surrogate has no canonical form.");
  return JSON.stringify(text);
}

/** `sha256:` and 64 hexadecimal digits over the UTF-8 bytes of the text. */
export function sha256(text: string): string {
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}
