import canonicalize from "canonicalize";

/** JSON Canonicalization Scheme, RFC 8785. @throws TypeError for what has no such form */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined || !text.isWellFormed()) throw new TypeError("This has no canonical JSON form.");
  return text;
}
