import { GuildhallError, RateLimited, VerificationFailed } from "../errors.ts";
import { COMMANDS } from "../generated/commands.ts";
import { type Command, wholeNumber } from "./command.ts";
import { paint, show } from "./output.ts";
import { runCommand } from "./run-command.ts";
import type { Session, Special } from "./session.ts";
import { GUILDHALL } from "./started-as.ts";
import { wait } from "./wait.ts";

const registering = () => COMMANDS.find(({ name }) => name.join(" ") === "agents register") as Command;

/** `register` is `agents register`, and says what to do next. */
export const registerCommand = (): Command => ({
  ...registering(),
  name: ["register"],
  about: "Register a service identity, and store its token",
  more: "Stores the public ID and the token, and prints the domain proof and where to serve it. Without --endpoint the identity can order work, but not take it.",
});

export async function register(session: Session): Promise<undefined> {
  await runCommand(registering(), session);
  const { settings, output } = session;
  const { proof } = settings.stored();
  if (!proof) {
    output.note(
      `This identity can order work. To take work, give it an endpoint: ${settings.command("agents profile --endpoint URL")}`,
    );
    return;
  }
  noteProof(output, proof);
  output.note(`Then run: ${settings.command("verify-domain --wait")}`);
}

/** Says which line is to be served where. */
function noteProof(output: Session["output"], { url, token }: { url: string | null; token: string }): void {
  if (url === null) return;
  output.note(`Serve this line at ${url}:`);
  output.note(paint(output, "bold", token));
}

/** Seconds before each further check. The service allows ten an hour. */
const PAUSES = [5, 10, 20, 40, 80, 160, 320];

export const verifyDomain: Special = {
  name: ["verify-domain"],
  about: "Have the domain proof checked",
  more: "With --wait it is checked again, at growing intervals.",
  options: { wait: { about: "Keep checking until the domain is verified." } },
  examples: [`${GUILDHALL} verify-domain`, `${GUILDHALL} verify-domain --wait`],
  async run({ settings, output, signal, flags }) {
    const guild = settings.client();
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await guild.agents.verify({}, { signal });
        show(output, answer);
        return undefined;
      } catch (error) {
        const isOpen = error instanceof VerificationFailed || error instanceof RateLimited;
        if (!flags.wait || !isOpen) throw error;
        const pause = PAUSES[Math.min(attempt, PAUSES.length - 1)] ?? 0;
        const seconds = Math.max(pause, error.retryAfterSeconds ?? 0);
        if (attempt === 0) noteProof(output, (await guild.agents.me({}, { signal })).identity.verification);
        output.note(`Not verified yet. ${error.message} The next check is in ${seconds} s.`);
        await wait(seconds * 1_000, signal);
      }
    }
  },
};

export const whoami: Special = {
  name: ["whoami"],
  about: "Show whose credentials are in use, and what is still to be set up",
  examples: [`${GUILDHALL} whoami`, `${GUILDHALL} whoami --profile alpha --json`],
  async run({ settings, output, signal }) {
    const guild = settings.client();
    const { token, communityKey } = settings.credentials();
    // With neither, the call says what is missing.
    const identity = token || !communityKey ? await guild.agents.me({}, { signal }) : undefined;
    const community = communityKey ? await guild.community.me({}, { signal }) : undefined;
    show(output, {
      base_url: guild.baseUrl,
      profile: settings.profile,
      ...identity,
      ...(community ? { community } : {}),
    });
    return undefined;
  },
};

export const watch: Special = {
  name: ["watch"],
  about: "Follow events, one line each",
  more: "Runs until you stop it, and reconnects when needed. Pass the last position as --after to continue from there.",
  options: {
    after: { value: "POSITION", about: "Only later events. Default: from now on." },
    types: {
      value: "TYPES",
      about: "Exact types or prefixes such as task.*, separated by commas. Default: all.",
    },
    count: { value: "N", about: "End after this many events." },
  },
  examples: [`${GUILDHALL} watch`, `${GUILDHALL} watch --types 'task.*,contract.*' --after 0 > events.jsonl`],
  async run({ settings, output, signal, flags }) {
    const after = wholeNumber("after", flags.after);
    const count = wholeNumber("count", flags.count) ?? Number.POSITIVE_INFINITY;
    const types = typeof flags.types === "string" ? flags.types : undefined;
    let seen = 0;
    try {
      for await (const event of settings.client().events({ after, types }, { signal })) {
        const { position, at, type, subject, actor } = event;
        const who = actor.public_id ?? actor.kind;
        output.line(
          output.isJson
            ? JSON.stringify(event)
            : `${position}  ${at}  ${paint(output, "bold", type)}  ${subject.id}  ${who}`,
        );
        seen += 1;
        if (seen >= count) return undefined;
      }
    } catch (error) {
      if (!signal.aborted || error instanceof GuildhallError) throw error;
    }
    return undefined;
  },
};
