import type { Command } from "#lib/admin/commands/command.ts";
import { serverJson } from "./mcp/server-card.ts";

/** Commands of `npm run admin` that only describe this installation. */
export const API_COMMANDS: Record<string, Command> = {
  "server-json": {
    args: [],
    summary: "print server.json, by which you list this installation's MCP server in a registry",
    example: "server-json",
    changes: false,
    run: async () => JSON.stringify(serverJson(), null, 2),
  },
};
