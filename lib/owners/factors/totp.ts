import { Secret, TOTP } from "otpauth";
import { encode } from "uqr";
import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Clock } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { seal, unseal } from "#lib/kernel/keys.ts";
import { requireRecentConfirmation } from "../sessions/confirmation.ts";
import { countingFailures } from "../sign-in/guessing.ts";
import { addFactor, lockAccount, removeFactor } from "./factor-set.ts";
import type { RemovedAnswer, TotpBeginAnswer, TotpConfirmAnswer, TotpConfirmInput } from "./schema.ts";
import { RP_NAME } from "./webauthn.ts";

// What every authenticator app supports. Many ignore other parameters in the URI, and would then show wrong codes.
const ALGORITHM = "SHA1";
const DIGITS = 6;
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Time steps before and after the current one whose codes are accepted, for clock differences and slow typing. */
const WINDOW = 1;

const QUIET_ZONE = 4;

function totpOf(secret: Uint8Array, label: string): TOTP {
  return new TOTP({
    issuer: RP_NAME,
    label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD_SECONDS,
  });
}

/**
 * Creates a secret for an authenticator app. It becomes a second factor when its first code is entered; beginning again
 * replaces it.
 * @throws ApiError forbidden (step_up_required), state_conflict when an app is already set up
 */
export async function beginTotp(ctx: OwnerContext): Promise<z.output<typeof TotpBeginAnswer>> {
  requireRecentConfirmation(ctx);
  const { id: ownerId } = ctx.actor;
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed = seal(secret.bytes, ownerId);
  const email = await transaction(async (tx) => {
    await lockAccount(tx, ctx);
    const owner = await tx.owner.findUniqueOrThrow({
      where: { id: ownerId },
      select: { email: true, totp: { select: { confirmedAt: true } } },
    });
    if (owner.totp?.confirmedAt) throw alreadySetUp();
    const values = { secret: Uint8Array.from(sealed), createdAt: ctx.clock.now(), lastStep: null };
    await tx.ownerTotp.upsert({ where: { ownerId }, create: { ownerId, ...values }, update: values });
    return owner.email;
  });
  const uri = totpOf(secret.bytes, email).toString();
  return { secret: secret.base32, uri, qr_code: drawQrCode(uri) };
}

/** The dark modules, row by row. */
function drawQrCode(text: string): z.output<typeof TotpBeginAnswer>["qr_code"] {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const path = data.flatMap((row, y) =>
    row.flatMap((dark, x) => {
      if (!dark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      const width = (end === -1 ? row.length : end) - x;
      return `M${x} ${y}h${width}v1h-${width}z`;
    }),
  );
  return { modules: size, path: path.join("") };
}

/**
 * Makes the app a second factor, given a correct code.
 * @throws ApiError forbidden (step_up_required), state_conflict when no setup was begun or an app is already set up,
 *   invalid_input for a wrong code, rate_limited
 */
export async function confirmTotp(
  ctx: OwnerContext,
  { code }: z.output<typeof TotpConfirmInput>,
): Promise<z.output<typeof TotpConfirmAnswer>> {
  requireRecentConfirmation(ctx);
  const { id: ownerId } = ctx.actor;
  const row = await prisma().ownerTotp.findUnique({ where: { ownerId } });
  if (!row) throw stateConflict("No authenticator app is being set up. Start again.");
  if (row.confirmedAt) throw alreadySetUp();
  const secret = unseal(row.secret, ownerId);
  if (!secret) throw stateConflict("This setup can no longer be finished. Start again.");
  const step = await countingFailures("factor_failure", ownerId, async () => stepOf(ctx.clock, secret, code));
  if (step === undefined) throw wrongCode();
  const recoveryCodes = await addFactor(ctx, { kind: "totp" }, async (tx) => {
    // Conditional: another setup may have replaced the secret meanwhile.
    const { count } = await tx.ownerTotp.updateMany({
      where: { ownerId, confirmedAt: null, secret: row.secret },
      data: { confirmedAt: ctx.clock.now(), lastStep: step },
    });
    if (count === 0) throw stateConflict("The authenticator app was set up again elsewhere. Start again.");
  });
  return { recovery_codes: recoveryCodes };
}

/** @throws ApiError forbidden (step_up_required), state_conflict without an app */
export async function removeTotp(ctx: OwnerContext): Promise<z.output<typeof RemovedAnswer>> {
  requireRecentConfirmation(ctx);
  return removeFactor(ctx, { kind: "totp" }, async (tx) => {
    const { count } = await tx.ownerTotp.deleteMany({
      where: { ownerId: ctx.actor.id, confirmedAt: { not: null } },
    });
    if (count === 0) throw stateConflict("No authenticator app is set up.");
  });
}

/** Whether the account's app shows this code now and the code has not been used. It cannot be used again. */
export async function acceptCode(clock: Clock, ownerId: string, code: string): Promise<boolean> {
  const row = await prisma().ownerTotp.findUnique({ where: { ownerId, confirmedAt: { not: null } } });
  if (!row) return false;
  const secret = unseal(row.secret, ownerId);
  const step = secret && stepOf(clock, secret, code);
  if (!secret || step === undefined) return false;
  const { count } = await prisma().ownerTotp.updateMany({
    where: { ownerId, secret: row.secret, OR: [{ lastStep: null }, { lastStep: { lt: step } }] },
    // Sealed again, so that it no longer depends on an earlier AUTH_SECRET.
    data: { lastStep: step, secret: Uint8Array.from(seal(secret, ownerId)) },
  });
  return count === 1;
}

/** The time step that a code belongs to; undefined if it belongs to none that is accepted now. */
function stepOf(clock: Clock, secret: Uint8Array, code: string): bigint | undefined {
  const timestamp = clock.now().getTime();
  const delta = totpOf(secret, "").validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return undefined;
  return BigInt(TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta);
}

export function wrongCode() {
  return invalidInput(
    "code",
    "is wrong, too old or already used. Wait for the next one; if it keeps failing, check the clock of the device that shows it",
  );
}

function alreadySetUp() {
  return stateConflict("An authenticator app is already set up. Remove it before you set up another.");
}
