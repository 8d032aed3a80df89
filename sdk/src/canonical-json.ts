/**
 * JSON Canonicalization Scheme (RFC 8785): no white space, keys in the order of their UTF-16 code units, numbers and strings as
 * ECMAScript writes them.
 * @throws TypeError for anything that JSON cannot carry: undefined (except as a member of an object), NaN, infinities, lone surrogates, objects that are not plain
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form.`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(",")}]`;
  if (typeof value !== "object") throw new TypeError(`A value of type ${typeof value} has no JSON form.`);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError("Only plain objects have a canonical form.");
  // As JSON.stringify does, members without a value are left out.
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  const members = given.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${quoted(key)}:${canonicalJson(member)}`).join(",")}}`;
}

function quoted(text: string): string {
  // A lone surrogate has no UTF-8 form. `isWellFormed` would be missing in older browsers.
  if (/\p{Surrogate}/u.test(text)) throw new TypeError("A string with a lone surrogate has no canonical form.");
  return JSON.stringify(text);
}
