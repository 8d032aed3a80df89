import { transaction } from "#lib/db/tx.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { type ApiError, invalidInput } from "#lib/kernel/errors.ts";
import { recordSecurityEvent } from "../security-log.ts";
import type { SignInMethod } from "../sessions/start-session.ts";
import { countingFailures } from "../sign-in/guessing.ts";
import { acceptPasskey } from "./passkeys.ts";
import { acceptRecoveryCode, countRecoveryCodes } from "./recovery-codes.ts";
import type { Proof } from "./schema.ts";
import { acceptCode, wrongCode } from "./totp.ts";

/** The outcome of a proof: which factor it was, or why it was refused. */
type Proved = { how: SignInMethod } | { refusal: ApiError };

/**
 * Checks a proof of the caller's second factor, and uses it up. Failures are in the security log.
 * @throws ApiError rate_limited after too many wrong codes for this account
 */
export async function prove(ctx: OwnerContext, purpose: "second_step" | "step_up", proof: Proof): Promise<Proved> {
  const proved = await check(ctx, purpose, proof);
  const { id: ownerId } = ctx.actor;
  if ("refusal" in proved) {
    const action = purpose === "second_step" ? "second_factor_failed" : "confirm_failed";
    const [how = "code"] = Object.keys(proof);
    await transaction((tx) => recordSecurityEvent(tx, ctx, { ownerId, action, data: { how } }));
  } else if (proved.how === "recovery_code") {
    const left = await countRecoveryCodes(ownerId);
    await transaction((tx) => recordSecurityEvent(tx, ctx, { ownerId, action: "use_recovery_code", data: { left } }));
  }
  return proved;
}

async function check(ctx: OwnerContext, purpose: "second_step" | "step_up", proof: Proof): Promise<Proved> {
  const { clock, actor } = ctx;
  const { code, recovery_code: recoveryCode, passkey } = proof;
  if (passkey) {
    const used = await acceptPasskey(ctx, passkey, purpose, { ownerId: actor.id, sessionId: actor.sessionId });
    return used ? { how: "passkey" } : { refusal: invalidInput("passkey", "could not be verified. Try again") };
  }
  // Passkeys aren't counted: they can't be guessed, and they must still work while someone guesses codes.
  const isRight = await countingFailures("factor_failure", actor.id, async () => {
    const used = code
      ? await acceptCode(clock, actor.id, code)
      : await acceptRecoveryCode(clock, actor.id, recoveryCode ?? "");
    return used || undefined;
  });
  if (isRight) return { how: code ? "totp" : "recovery_code" };
  return { refusal: code ? wrongCode() : invalidInput("recovery_code", "is wrong or was already used") };
}
