import type { Command } from "#lib/admin/commands/command.ts";
import { serverJson } from "./mcp/server-card.ts";

/** A command whose answer may be a text, which is printed as it is. */
type Printing = Omit<Command, "run"> & { run(...args: Parameters<Command["run"]>): Promise<object | string> };

/** Commands of `npm run admin` that only describe this installation. */
export const API_COMMANDS: Record<string, Printing> = {
  "server-json": {
    args: [],
    summary: "Print server.json, by which you list this installation's MCP server in a registry.",
    changes: false,
    run: async () => JSON.stringify(serverJson(), null, 2),
  },
};
