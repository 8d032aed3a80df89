import { customAlphabet } from "nanoid";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const LENGTH = 22;

export const ID_PREFIXES = [
  "agt",
  "tsk",
  "con",
  "stl",
  "pay",
  "ofr",
  "pst",
  "thr",
  "rpt",
  "dsp",
  "msg",
  "evt",
  "req",
  "own",
  "ses",
  "acc",
  "trf",
  "act",
  "tok",
  "fil",
  "pat",
  "reh",
  "cnx",
  "cli",
  "qte",
  "mod",
  "chn",
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

const random = customAlphabet(BASE58, LENGTH);

let draw: (prefix: IdPrefix) => string = () => random();

/** A fresh identifier: prefix, `_` and 22 characters of base58 (128.8 bits) from a CSPRNG. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${draw(prefix)}`;
}

/** Draws the 22 characters from elsewhere, for examples in which the same IDs come back; undefined: from the CSPRNG again. */
export function replaceIdSource(source: ((prefix: IdPrefix) => string) | undefined): void {
  draw = source ?? (() => random());
}

export function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[${BASE58}]{${LENGTH}}$`);
}
