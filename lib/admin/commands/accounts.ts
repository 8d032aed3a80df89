import {
  demoteAdministrator,
  disableOwner,
  enableOwner,
  endSessions,
  promoteOwner,
  resetPassword,
} from "../accounts.ts";
import { createAdministrator, listAdministrators } from "../administrators.ts";
import type { AdminContext } from "../context.ts";
import { act } from "./act.ts";
import { ACCOUNT, exampleId, OWNER_ID } from "./arguments.ts";
import type { Command } from "./command.ts";

const OWNER = exampleId("own");

type Verb = (ctx: AdminContext, input: { owner: string; reason: string }) => Promise<object>;

/** An act on one account. */
const accountAct = (
  endpoint: string,
  verb: Verb,
  { account = ACCOUNT, ...described }: { account?: typeof ACCOUNT; summary: string; example: string },
) =>
  act({
    ...described,
    endpoint,
    args: { owner_id: account },
    run: (ctx, { owner_id: owner, reason }) => verb(ctx, { owner, reason }),
  });

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
  promote: accountAct("promote", promoteOwner, {
    // By ID only, so that the administrator looks at the account first: anyone can register any address.
    account: OWNER_ID,
    summary:
      "make an owner an administrator; sets a new password (printed once), ends all sessions, removes linked sign-ins and second factors",
    example: `promote ${OWNER} --reason "Joins the team"`,
  }),
  demote: accountAct("demote", demoteAdministrator, {
    summary: "make an administrator an ordinary owner again",
    example: `demote ${OWNER} --reason "Leaves the team"`,
  }),
  "disable-owner": accountAct("disable_owner", disableOwner, {
    summary: "disable an account: nobody can sign in to it, and its sessions and connected programs end",
    example: 'disable-owner bob@example.com --reason "The account was taken over"',
  }),
  "enable-owner": accountAct("enable_owner", enableOwner, {
    summary: "enable a disabled account again",
    example: 'enable-owner bob@example.com --reason "The owner has it back"',
  }),
  "end-sessions": accountAct("end_sessions", endSessions, {
    summary: "end all sessions of an account",
    example: 'end-sessions bob@example.com --reason "A laptop was stolen"',
  }),
  "reset-password": accountAct("reset_password", resetPassword, {
    summary: "set a new password (printed once), end all sessions and remove second factors",
    example: 'reset-password bob@example.com --reason "Has lost it"',
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
