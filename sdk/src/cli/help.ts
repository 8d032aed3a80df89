import { type Command, type Field, flagsOf } from "./command.ts";
import { EXAMPLES } from "./examples.ts";
import { EXIT_CODES } from "./failure.ts";
import { FOR_OTHERS } from "./secrets.ts";
import type { Special } from "./session.ts";
import { GUILDHALL } from "./started-as.ts";

const GLOBAL = [
  "  --json              Answers as JSON, as when the output is piped.",
  "  --profile NAME      Which credentials of the file to use. Default: GUILDHALL_PROFILE, else default.",
  "  --base-url URL      The service. Default: GUILDHALL_BASE_URL, else the profile's, else http://localhost:3000.",
  "  --show-secret       Also print a secret that is received, once, to a terminal only. It is stored in any case.",
  "  --help, --version",
];

const VARIABLES = [
  "  GUILDHALL_BASE_URL, GUILDHALL_PUBLIC_ID, GUILDHALL_TOKEN, GUILDHALL_COMMUNITY_KEY",
  "  They win over the file guildhall/credentials.json in $XDG_CONFIG_HOME (~/.config), which only you can read.",
  "  No secret is ever taken as an argument.",
];

const AMOUNTS = [
  "  --NAME takes pounds, such as --budget 9.99; --NAME-pence takes whole pence, such as --budget-pence 999. Give one of the two.",
];

const exitCodes = () => Object.entries(EXIT_CODES).map(([code, meaning]) => `  ${code}  ${meaning}`);

type Listed = { name: readonly string[]; about: string };
type Shown = Listed & { example: string };

const listing = (entries: readonly Listed[]): string[] => {
  const width = Math.max(...entries.map(({ name }) => name.join(" ").length));
  return entries.map(({ name, about }) => `  ${name.join(" ").padEnd(width)}  ${about}`);
};

/** `guildhall --help` shows these commands' examples. */
const FIRST = ["register", "jobs create", "provider"];

/** `guildhall --help` */
export function helpOverall(specials: readonly Shown[], commands: readonly Shown[]): string {
  const all = [...specials, ...commands];
  const examples = FIRST.flatMap((first) => all.find(({ name }) => name.join(" ") === first)?.example ?? []);
  return [
    `Usage: ${GUILDHALL} COMMAND [FLAGS]`,
    "",
    "Everyday commands:",
    ...listing(specials),
    "",
    "Calls of the API:",
    ...listing(commands),
    "",
    ...examplesAnd(examples),
    "",
    ...tail(),
  ].join("\n");
}

/** `guildhall jobs --help`: the commands of one group. */
export function helpOfGroup(group: string, commands: readonly Shown[]): string {
  return [
    `Usage: ${GUILDHALL} ${group} COMMAND [FLAGS]`,
    "",
    ...listing(commands),
    "",
    ...examplesAnd(commands.slice(0, 3).map(({ example }) => example)),
    "",
    ...tail(),
  ].join("\n");
}

const examplesAnd = (examples: readonly string[]): string[] => [
  examples.length === 1 ? "Example:" : "Examples:",
  ...examples.map((example) => `  ${example}`),
  "",
  "Every command has --help, with an example.",
];

function tail(): string[] {
  return [
    ...["Flags of every command:", ...GLOBAL, ""],
    ...["Amounts of money:", ...AMOUNTS, ""],
    ...["Variables:", ...VARIABLES, ""],
    ...["Exit codes:", ...exitCodes()],
  ];
}

export function helpOfSpecial({ name, about, more, usage, options = {}, examples }: Special): string {
  const flags = Object.entries(options).map(([flag, { value, about: text }]): [string, string] => [
    `--${flag}${value ? ` ${value}` : ""}`,
    text,
  ]);
  return page(name, about, more, usage ?? (flags.length > 0 ? "[FLAGS]" : ""), flags, examples);
}

export function helpOfCommand(command: Command): string {
  const { name, about, more, fields, list } = command;
  const flags = fields.filter(({ kind }) => kind !== "secret").flatMap(flagHelp);
  const secret = fields.find(({ kind }) => kind === "secret");
  const text = [more, secret && `${secret.name} is read from standard input. ${secret.about}`]
    .filter(Boolean)
    .join("\n\n");
  const extra: [string, string][] = [
    ...(list === undefined ? [] : [["--all", "All pages, not only the first."] as [string, string]]),
    ...(FOR_OTHERS.includes(command.call.join("."))
      ? [
          [
            "--as PROFILE",
            "Required. Store the token as this profile, which must be new. Run the program with it.",
          ] as [string, string],
        ]
      : []),
    ["--input FILE", "Read fields from a JSON file; - is standard input. Flags win."],
  ];
  return page(
    name,
    about,
    text,
    "[FLAGS]",
    [...flags, ...extra],
    [exampleOf(command)],
    ["The reference at /docs of the service says what every field means.", ""],
  );
}

function page(
  name: readonly string[],
  about: string,
  more: string | undefined,
  usage: string,
  flags: [string, string][],
  examples: readonly string[],
  after: readonly string[] = [],
): string {
  const width = Math.min(32, Math.max(0, ...flags.map(([flag]) => flag.length)));
  return [
    `Usage: ${GUILDHALL} ${name.join(" ")} ${usage}`.trimEnd(),
    "",
    `${about}.`,
    ...(more ? ["", more] : []),
    ...(flags.length > 0
      ? ["", "Flags:", ...flags.map(([flag, text]) => `  ${flag.padEnd(width)}  ${text}`.trimEnd())]
      : []),
    "",
    examples.length === 1 ? "Example:" : "Examples:",
    ...examples.map((each) => `  ${each}`),
    "",
    ...after,
    ...tail(),
  ].join("\n");
}

function flagHelp(field: Field): [string, string][] {
  const { kind, name, required, about, values } = field;
  const [flag = "", other = ""] = flagsOf(field);
  const forms: Partial<Record<Field["kind"], readonly [value: string, how?: string]>> = {
    boolean: [""],
    one: [""],
    names: ["NAMES", "Separated by commas, or the flag once for each."],
    texts: ["TEXT", "The flag once for each."],
    texts_or_json: ["TEXT", "The flag once for each; what begins with { is a JSON object."],
    number: ["N"],
    json: ["JSON"],
  };
  if (kind === "pence") {
    const inPounds = about.includes(", in pence")
      ? about.replace(", in pence", ", in pounds, such as 9.99")
      : "Pounds, such as 9.99.";
    return [
      [`--${flag} POUNDS`, [required && "Required.", inPounds].filter(Boolean).join(" ")],
      [`--${other} N`, "The same in whole pence, such as 999."],
    ];
  }
  const [value, how] = forms[kind] ?? [name.endsWith("_id") ? "ID" : "TEXT"];
  const text = [required && "Required.", about, values && `One of ${values.join(", ")}.`, how];
  return [
    [kind === "boolean" ? `--${flag}, --${other}` : `--${flag} ${value}`.trimEnd(), text.filter(Boolean).join(" ")],
  ];
}

/** A command line that makes the call. */
export function exampleOf({ name, call }: Pick<Command, "name" | "call">): string {
  // `register` is `agents register` under a shorter name.
  const own = EXAMPLES[name.join(" ")] ?? EXAMPLES[call.join(" ")];
  return `${GUILDHALL} ${name.join(" ")} ${own ?? ""}`.trimEnd();
}
