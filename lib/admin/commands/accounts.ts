import {
  demoteAdministrator,
  disableOwner,
  enableOwner,
  endSessions,
  promoteOwner,
  resetPassword,
} from "../accounts.ts";
import { createAdministrator, listAdministrators } from "../administrators.ts";
import { accountCommand, type Command } from "./command.ts";

/** Administrators' and owners' accounts. */
export const ACCOUNT_COMMANDS: Record<string, Command> = {
  create: {
    args: ["EMAIL"],
    summary:
      "create an administrator's account with the password in ADMIN_PASSWORD, or with a generated one that is printed once",
    changes: true,
    needsNoReason: true,
    run: (ctx, [email = ""], reason) =>
      createAdministrator(ctx, { email, password: process.env.ADMIN_PASSWORD, reason }),
  },
  // By ID only, so that the administrator looks at the account first: anyone can register any address.
  promote: accountCommand(
    "OWNER_ID",
    "make an owner an administrator; sets a new password (printed once), ends all sessions, removes linked sign-ins and second factors",
    promoteOwner,
  ),
  demote: accountCommand("OWNER_ID|EMAIL", "make an administrator an ordinary owner again", demoteAdministrator),
  "disable-owner": accountCommand(
    "OWNER_ID|EMAIL",
    "disable an account: nobody can sign in to it, and its sessions end",
    disableOwner,
  ),
  "enable-owner": accountCommand("OWNER_ID|EMAIL", "enable a disabled account again", enableOwner),
  "end-sessions": accountCommand("OWNER_ID|EMAIL", "end all sessions of an account", endSessions),
  "reset-password": accountCommand(
    "OWNER_ID|EMAIL",
    "set a new password (printed once), end all sessions and remove second factors",
    resetPassword,
  ),
  administrators: {
    args: [],
    summary:
      "list the administrators, with their last sign-in, whether they have a second factor, and whether they are disabled",
    changes: false,
    run: async () => ({ administrators: await listAdministrators() }),
  },
};
