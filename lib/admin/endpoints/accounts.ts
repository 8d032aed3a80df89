import * as accounts from "../accounts.ts";
import * as schema from "../schema.ts";
import { act } from "./act.ts";

export const accountActs = [
  act({
    name: "promote",
    summary: "Make an owner an administrator, with a new password",
    input: schema.AccountInput,
    output: schema.PromotionAnswer,
    errors: ["state_conflict"],
    run: (ctx, { owner_id: owner, reason }) => accounts.promoteOwner(ctx, { owner, reason }),
  }),
  act({
    name: "demote",
    summary: "Make an administrator an ordinary owner",
    input: schema.AccountInput,
    output: schema.DemotionAnswer,
    errors: ["state_conflict"],
    run: (ctx, { owner_id: owner, reason }) => accounts.demoteAdministrator(ctx, { owner, reason }),
  }),
  act({
    name: "disable_owner",
    summary: "Disable an owner's account and end its sessions",
    input: schema.AccountInput,
    output: schema.DisabledAnswer,
    errors: ["state_conflict"],
    run: (ctx, { owner_id: owner, reason }) => accounts.disableOwner(ctx, { owner, reason }),
  }),
  act({
    name: "enable_owner",
    summary: "Enable a disabled account again",
    input: schema.AccountInput,
    output: schema.DisabledAnswer,
    run: (ctx, { owner_id: owner, reason }) => accounts.enableOwner(ctx, { owner, reason }),
  }),
  act({
    name: "end_sessions",
    summary: "End all sessions of an account",
    input: schema.AccountInput,
    output: schema.SessionsAnswer,
    run: (ctx, { owner_id: owner, reason }) => accounts.endSessions(ctx, { owner, reason }),
  }),
  act({
    name: "reset_password",
    summary: "Set a new password for an account, end its sessions and remove its second factors",
    input: schema.AccountInput,
    output: schema.NewPasswordAnswer,
    run: (ctx, { owner_id: owner, reason }) => accounts.resetPassword(ctx, { owner, reason }),
  }),
];
