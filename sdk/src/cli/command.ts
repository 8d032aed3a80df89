/** A field of a command: one flag, or two for an amount of money. */
export type Field = {
  /** As the API names it. */
  name: string;
  /**
   * `names` may be separated by commas. `texts` take the flag once for each; in `texts_or_json`, a value that begins with { is JSON.
   * `one` is sent as "1". `secret` has no flag: it is read from standard input.
   */
  kind: "text" | "number" | "boolean" | "one" | "pence" | "names" | "texts" | "texts_or_json" | "json" | "secret";
  required?: boolean;
  values?: readonly unknown[];
  about: string;
};

/** A command that makes one call. */
export type Command = {
  name: readonly string[];
  /** The client's method: group and name, or one name. */
  call: readonly string[];
  about: string;
  more?: string;
  fields: readonly Field[];
  /** The array of the answer, if it is a list. */
  list?: string;
};

/** A wrong command line: exit code 2. */
export class UsageError extends Error {}

export const kebab = (name: string): string => name.replaceAll("_", "-");

/** What every command takes. */
export const GLOBAL_OPTIONS = {
  json: { type: "boolean" },
  profile: { type: "string" },
  "base-url": { type: "string" },
  "show-secret": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** What every call takes, apart from its fields: `all` only if it is a list, `as` only if it answers with another program's secret. */
export const CALL_OPTIONS = { input: { type: "string" }, all: { type: "boolean" }, as: { type: "string" } } as const;

/** The flags of a field, without their dashes. An amount has two: one in pounds, and one in pence that has its own name. */
export function flagsOf({ name, kind }: Field): string[] {
  // A field that has the name of such a flag takes another: `--field-input` for `input`.
  const taken = Object.hasOwn(GLOBAL_OPTIONS, kebab(name)) || Object.hasOwn(CALL_OPTIONS, kebab(name));
  const flag = taken ? `field-${kebab(name)}` : kebab(name);
  if (kind === "secret") return [];
  if (kind === "pence") return [flag.slice(0, -"-pence".length), flag];
  return kind === "boolean" ? [flag, `no-${flag}`] : [flag];
}

/** Whole pence of an amount in pounds with at most two decimals, exactly. @throws UsageError */
export function penceOf(flag: string, pounds: string): number {
  const [, whole, decimals = ""] = /^£?(\d{1,9})(?:\.(\d{1,2}))?$/.exec(pounds) ?? [];
  if (whole === undefined)
    throw new UsageError(
      `--${flag} must be pounds with at most two decimals, such as 9.99. ${JSON.stringify(pounds)} is not.`,
    );
  return Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
}

/**
 * An amount in pence, from `--NAME` in pounds or `--NAME-pence` in pence; undefined if neither is given.
 * @throws UsageError
 */
export function amountOf(name: string, flags: Flags): number | undefined {
  const [pounds, pence] = [flags[name], flags[`${name}-pence`]];
  if (pounds !== undefined && pence !== undefined)
    throw new UsageError(`Give --${name} in pounds or --${name}-pence in pence, not both.`);
  return pounds === undefined ? wholeNumber(`${name}-pence`, pence) : penceOf(name, String(pounds));
}

type Flags = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** The value of a flag that takes one. */
export const textOf = (flag: unknown): string | undefined => (typeof flag === "string" ? flag : undefined);

/** The one argument of a command. @throws UsageError asking for it */
export function onlyArgument([argument, ...more]: readonly string[], question: string): string {
  if (argument === undefined || more.length > 0) throw new UsageError(question);
  return argument;
}

/** The input of the call, from the flags. @throws UsageError */
export function inputOf({ fields }: Command, flags: Flags, given: Record<string, unknown>): Record<string, unknown> {
  const input: Record<string, unknown> = { ...given };
  for (const field of fields) {
    const value = flagValue(field, flags);
    if (value !== undefined) input[field.name] = value;
  }
  const missing = fields.filter(({ name, required }) => required && input[name] === undefined);
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map(nameFlag).join(", ")}.`);
  return input;
}

/** How usage names a field. */
export function nameFlag(field: Field): string {
  return field.kind === "secret" ? `${field.name} (on standard input)` : `--${flagsOf(field)[0]}`;
}

function flagValue(field: Field, flags: Flags): unknown {
  const [flag = "", other = ""] = flagsOf(field);
  const value = flags[flag];
  switch (field.kind) {
    case "secret":
      return undefined;
    case "boolean":
      return value === true ? true : flags[other] === true ? false : undefined;
    case "one":
      return value === true ? "1" : undefined;
    case "pence":
      return amountOf(flag, flags);
    case "number":
      return wholeNumber(flag, value);
    case "names":
      return (value as string[] | undefined)?.flatMap((each) => each.split(",")).filter(Boolean);
    case "texts_or_json":
      return (value as string[] | undefined)?.map((each) => (each.startsWith("{") ? jsonOf(flag, each) : each));
    case "json":
      return value === undefined ? undefined : jsonOf(flag, String(value));
    default:
      return value;
  }
}

/** A flag that is a whole number, if it is given. @throws UsageError */
export function wholeNumber(flag: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || !/^\d{1,15}$/.test(value))
    throw new UsageError(`--${flag} must be a whole number. ${JSON.stringify(value)} is not.`);
  return Number(value);
}

function jsonOf(flag: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`--${flag} must be JSON.`);
  }
}

const REPEATED = new Set<Field["kind"]>(["names", "texts", "texts_or_json"]);

/** What `node:util` parseArgs is told about a command's flags. */
export function optionsOf({ fields }: Command): Record<string, { type: "string" | "boolean"; multiple?: boolean }> {
  return Object.fromEntries(
    fields.flatMap((field) =>
      flagsOf(field).map((flag) => [
        flag,
        {
          type: field.kind === "boolean" || field.kind === "one" ? ("boolean" as const) : ("string" as const),
          ...(REPEATED.has(field.kind) ? { multiple: true } : {}),
        },
      ]),
    ),
  );
}
