import {
  demoteAdministrator,
  disableOwner,
  enableOwner,
  endSessions,
  promoteOwner,
  resetPassword,
} from "../accounts.ts";
import { createAdministrator, listAdministrators } from "../administrators.ts";
import { exampleId } from "./arguments.ts";
import { accountCommand, type Command } from "./command.ts";

const OWNER = exampleId("own");

/** Administrators' and owners' accounts. */
export const ACCOUNT_COMMANDS: Record<string, Command> = {
  create: {
    args: ["EMAIL"],
    summary:
      "create an administrator's account with the password in ADMIN_PASSWORD, or with a generated one that is printed once",
    example: "create alice@example.com",
    changes: true,
    needsNoReason: true,
    run: (ctx, [email = ""], reason) =>
      createAdministrator(ctx, { email, password: process.env.ADMIN_PASSWORD, reason }),
  },
  // By ID only, so that the administrator looks at the account first: anyone can register any address.
  promote: accountCommand("OWNER_ID", {
    summary:
      "make an owner an administrator; sets a new password (printed once), ends all sessions, removes linked sign-ins and second factors",
    example: `promote ${OWNER} --reason "Joins the team"`,
    run: promoteOwner,
  }),
  demote: accountCommand("OWNER_ID|EMAIL", {
    summary: "make an administrator an ordinary owner again",
    example: `demote ${OWNER} --reason "Leaves the team"`,
    run: demoteAdministrator,
  }),
  "disable-owner": accountCommand("OWNER_ID|EMAIL", {
    summary: "disable an account: nobody can sign in to it, and its sessions and connected programs end",
    example: 'disable-owner bob@example.com --reason "The account was taken over"',
    run: disableOwner,
  }),
  "enable-owner": accountCommand("OWNER_ID|EMAIL", {
    summary: "enable a disabled account again",
    example: 'enable-owner bob@example.com --reason "The owner has it back"',
    run: enableOwner,
  }),
  "end-sessions": accountCommand("OWNER_ID|EMAIL", {
    summary: "end all sessions of an account",
    example: 'end-sessions bob@example.com --reason "A laptop was stolen"',
    run: endSessions,
  }),
  "reset-password": accountCommand("OWNER_ID|EMAIL", {
    summary: "set a new password (printed once), end all sessions and remove second factors",
    example: 'reset-password bob@example.com --reason "Has lost it"',
    run: resetPassword,
  }),
  administrators: {
    args: [],
    summary:
      "list the administrators, with their last sign-in, whether they have a second factor, and whether they are disabled",
    example: "administrators",
    changes: false,
    run: async () => ({ administrators: await listAdministrators() }),
  },
};
