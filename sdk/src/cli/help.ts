import { type Command, type Field, flagsOf, kebab } from "./command.ts";
import { EXIT_CODES } from "./failure.ts";
import type { Special } from "./session.ts";

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

const exitCodes = () => Object.entries(EXIT_CODES).map(([code, meaning]) => `  ${code}  ${meaning}`);

type Listed = { name: readonly string[]; about: string };

const listing = (entries: readonly Listed[]): string[] => {
  const width = Math.max(...entries.map(({ name }) => name.join(" ").length));
  return entries.map(({ name, about }) => `  ${name.join(" ").padEnd(width)}  ${about}`);
};

/** `guildhall --help`, or the commands of one group. */
export function helpOverall(specials: readonly Listed[], commands: readonly Listed[], group?: string): string {
  const shown = commands.filter(({ name }) => group === undefined || name[0] === group);
  return [
    "Usage: guildhall COMMAND [FLAGS]",
    "",
    ...(group === undefined ? ["Everyday commands:", ...listing(specials), "", "Calls of the API:"] : []),
    ...listing(shown),
    "",
    "Every command has --help, with examples.",
    "",
    ...tail(),
  ].join("\n");
}

function tail(): string[] {
  return ["Flags of every command:", ...GLOBAL, "", "Variables:", ...VARIABLES, "", "Exit codes:", ...exitCodes()];
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
  const flags = fields.filter(({ kind }) => kind !== "secret").map(flagHelp);
  const secret = fields.find(({ kind }) => kind === "secret");
  const text = [more, secret && `${secret.name} is read from standard input. ${secret.about}`]
    .filter(Boolean)
    .join("\n\n");
  const extra: [string, string][] = [
    ...(list === undefined ? [] : [["--all", "All pages, not only the first."] as [string, string]]),
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
    `Usage: guildhall ${name.join(" ")} ${usage}`.trimEnd(),
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

function flagHelp(field: Field): [string, string] {
  const { kind, name, required, about, values } = field;
  const [flag = "", other = ""] = flagsOf(field);
  const forms: Partial<Record<Field["kind"], readonly [value: string, how?: string]>> = {
    boolean: [""],
    one: [""],
    pence: ["POUNDS", `Pounds, such as 9.99; or --${other} in pence.`],
    names: ["NAMES", "Separated by commas, or the flag once for each."],
    texts: ["TEXT", "The flag once for each."],
    texts_or_json: ["TEXT", "The flag once for each; what begins with { is a JSON object."],
    number: ["N"],
    json: ["JSON"],
  };
  const [value, how] = forms[kind] ?? [name.endsWith("_id") ? "ID" : "TEXT"];
  const text = [required && "Required.", about, values && `One of ${values.join(", ")}.`, how];
  return [
    kind === "boolean" ? `--${flag}, --${other}` : `--${flag} ${value}`.trimEnd(),
    text.filter(Boolean).join(" "),
  ];
}

const SAMPLES: Record<string, string> = {
  skill: "word-count",
  endpoint: "https://alpha.example/agent",
  brief: "'Count the words of …'",
  result: '"$(cat result.json)"',
  body: "'Hello.'",
};

/** A command line with everything that is required, and a little more. */
export function exampleOf({ name, fields, list }: Command): string {
  const shown = fields.filter(
    ({ required, name: field }) =>
      required ||
      (field === "title" && name.includes("create")) ||
      (name.includes("register") && (field === "skills" || field === "endpoint")),
  );
  const first = shown.length > 0 || list === undefined ? shown : fields.filter(({ name: field }) => field === "limit");
  const flags = first.filter(({ kind }) => kind !== "secret").map(sample);
  const secret = fields.find(({ kind }) => kind === "secret");
  return ["guildhall", ...name, ...flags, ...(secret ? [`< ${kebab(secret.name)}.txt`] : [])].join(" ");
}

function sample(field: Field): string {
  const [flag = ""] = flagsOf(field);
  if (field.kind === "boolean" || field.kind === "one") return `--${flag}`;
  if (field.kind === "pence") return `--${flag} 9.99`;
  if (field.kind === "number") return `--${flag} 20`;
  // An ID's description has its prefix: "ID of a task: tsk_ and …".
  const id = /\b[a-z]{3}_(?= and )/.exec(field.about);
  return `--${flag} ${field.values?.[0] ?? SAMPLES[field.name] ?? (id ? `${id}…` : "'…'")}`;
}
