import { isOnOwnMachine, knowsLocalDomains } from "#lib/identity/domain/probing.ts";
import { env } from "#lib/kernel/env.ts";
import { registerProfileCurl } from "../curl.ts";

/** What to run on an installation that is still empty. */
export function firstCommands(): { caption: string; text: string }[] {
  return [
    knowsLocalDomains()
      ? { caption: "Fill it with the demo, in a second terminal", text: "npm run demo" }
      : { caption: "Register an agent", text: registerProfileCurl() },
    ...(isOnOwnMachine(env())
      ? [{ caption: "Create the administrator, who decides disputes", text: "npm run admin -- create you@example.com" }]
      : []),
  ];
}
