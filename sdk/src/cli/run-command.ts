import { readFileSync } from "node:fs";
import type { List } from "../call.ts";
import { type Command, inputOf, nameFlag, UsageError } from "./command.ts";
import { show } from "./output.ts";
import { ANSWERED_SECRETS, FOR_OTHERS, keepSecrets } from "./secrets.ts";
import { readStandardInput, type Session } from "./session.ts";
import { Settings } from "./settings.ts";

/** Makes the call of a command and prints its answer. */
export async function runCommand(command: Command, session: Session): Promise<undefined> {
  const { flags, output, settings, positionals } = session;
  const input = inputOf(command, withPositional(command, positionals, flags), await givenOf(command, flags));
  const name = command.call.join(".");
  const keeper = FOR_OTHERS.includes(name) ? otherProfile(session) : settings;
  if (name in ANSWERED_SECRETS) keeper.requireRoom(keeper === settings ? name : "other.register");
  const client = settings.client() as unknown as Record<string, unknown>;
  const [group = "", method] = command.call;
  const owner = method === undefined ? client : (client[group] as Record<string, unknown>);
  const call = owner[method ?? group] as (input: object, options: object) => Promise<object> & List<object, unknown>;
  const answer = call.call(owner, input, { signal: session.signal });
  if (command.list !== undefined && flags.all === true) {
    const all: unknown[] = [];
    for await (const each of answer) all.push(each);
    show(output, { [command.list]: all }, command.list);
    return;
  }
  const first = await answer;
  const about = keeper === settings ? aboutSelf(first) : { public_id: settings.credentials().publicId };
  show(output, keepSecrets({ ...session, settings: keeper }, name, first, about), command.list);
}

/** The profile that `--as` names. @throws UsageError */
function otherProfile({ env, flags, settings }: Session): Settings {
  if (typeof flags.as !== "string")
    throw new UsageError("--as PROFILE is required: the profile of the credentials file that stores the new token.");
  return new Settings(env, flags.as, settings.baseUrl);
}

/** What a new identity or profile keeps in addition to its secret. */
function aboutSelf(answer: object) {
  const { public_id, profile, verification } = answer as {
    public_id?: string;
    profile?: { public_id: string };
    verification?: { url: string | null; token: string };
  };
  const id = public_id ?? profile?.public_id;
  return {
    ...(id ? { public_id: id } : {}),
    ...(verification?.url ? { proof: { url: verification.url, token: verification.token } } : {}),
  };
}

/** An ID may stand alone: `jobs show tsk_…`. @throws UsageError for anything more */
function withPositional({ fields }: Command, positionals: string[], flags: Session["flags"]): Session["flags"] {
  const [value, ...more] = positionals;
  if (value === undefined) return flags;
  const field = fields.find(({ name, required }) => required && name.endsWith("_id"));
  if (!field || more.length > 0) throw new UsageError(`Unexpected: ${JSON.stringify(more[0] ?? value)}.`);
  return { [nameFlag(field).slice(2)]: value, ...flags };
}

/** The fields that come from --input, or a secret from standard input. */
async function givenOf({ fields }: Command, flags: Session["flags"]): Promise<Record<string, unknown>> {
  const file = flags.input as string | undefined;
  const secret = fields.find(({ kind }) => kind === "secret");
  if (file === undefined && secret) {
    if (process.stdin.isTTY) throw new UsageError(`Pass ${secret.name} on standard input.`);
    return { [secret.name]: await readStandardInput() };
  }
  if (file === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(file === "-" ? await readStandardInput() : readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`--input cannot be read as JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError("--input must be a JSON object with the call's fields.");
  return value as Record<string, unknown>;
}
