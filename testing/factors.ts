import { Secret, TOTP } from "otpauth";
import type { z } from "zod";
import { prisma } from "#lib/db/client.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import type * as schema from "#lib/owners/factors/schema.ts";
import { findAwaitingFactor, findOwnerActor } from "#lib/owners/sessions/session.ts";
import { setCookiesOf, startSession } from "#lib/owners/sessions/start-session.ts";
import { Authenticator } from "./authenticator.ts";
import { type Answer, call } from "./client.ts";
import { succeeded } from "./factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "./owner.ts";

const PERIOD_MS = 30_000;

/** The app's code, a number of time steps from now. */
export function codeOf(secret: string, step = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + step * PERIOD_MS });
}

/** A code of six digits that belongs to no time step near now. */
export function wrongCodeOf(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((step) => codeOf(secret, step));
  return ["000000", "000001", "000002", "000003", "000004", "000005"].find((code) => !right.includes(code)) ?? "";
}

/** Lets the current code be used again, because the next one is up to 30 seconds away. */
export async function forgetSteps(ownerId: string): Promise<void> {
  await prisma().ownerTotp.update({ where: { ownerId }, data: { lastStep: null } });
}

/** Calls one of the second-factor endpoints. */
export function factor<Body = Record<string, unknown>>(
  owner: TestOwner,
  name: string,
  fields: Record<string, unknown> = {},
): Promise<Answer<Body>> {
  return callAsOwner(owner, name === "factors" ? "GET" : "POST", `/api/v1/owners/${name}.php`, fields);
}

function bodyOf<Body>(answer: Answer<Body>): Body {
  succeeded(answer);
  return answer.body;
}

type Confirmed = z.output<typeof schema.TotpConfirmAnswer>;

/** Sets an authenticator app up for an owner who has just signed in. */
export async function addTotp(owner: TestOwner) {
  const begun = bodyOf(await factor<z.output<typeof schema.TotpBeginAnswer>>(owner, "totp_begin"));
  const { secret } = begun;
  const made = bodyOf(await factor<Confirmed>(owner, "totp_confirm", { code: codeOf(secret) }));
  await forgetSteps(owner.ownerId);
  return { secret, recoveryCodes: made.recovery_codes ?? [] };
}

/** Adds a passkey for an owner who has just signed in. */
export async function addPasskey(owner: TestOwner, passkey = new Authenticator(), name?: string) {
  const begun = bodyOf(await factor<{ options: object }>(owner, "passkey_options"));
  const fields = { passkey: passkey.create(begun.options), ...(name ? { name } : {}) };
  const made = bodyOf(await factor<Confirmed>(owner, "passkey_add", fields));
  return { passkey, recoveryCodes: made.recovery_codes ?? [] };
}

export async function ownerWithTotp(password?: string) {
  const owner = await signedInOwner(password === undefined ? {} : { password });
  return { owner, ...(await addTotp(owner)) };
}

/** A `Cookie` header from an answer's `Set-Cookie` values. */
export function cookieOf({ headers }: Pick<Answer<unknown>, "headers">): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}

/** The session that a cookie carries, full or awaiting its second factor. */
export async function sessionOf(owner: TestOwner, cookie: string): Promise<TestOwner> {
  const actor = (await findOwnerActor(cookie)) ?? (await findAwaitingFactor(cookie));
  if (!actor) throw new Error("This cookie carries no live session.");
  return { ...owner, cookie, csrfToken: actor.csrfToken };
}

/** Another session of the owner, as after entering the password in another browser: it awaits the second factor if there is one. */
export async function afterPassword(owner: TestOwner): Promise<TestOwner> {
  const started = await startSession(
    { actor: { kind: "visitor" }, clock: systemClock, requestId: newId("req") },
    { ownerId: owner.ownerId, how: "password" },
  );
  const lines = await setCookiesOf(started);
  return sessionOf(owner, lines.map((line) => line.split(";", 1)[0]).join("; "));
}

/** Moves the owner's confirmations six minutes into the past. */
export async function letConfirmationLapse({ ownerId }: TestOwner): Promise<void> {
  await prisma().ownerSession.updateMany({
    where: { ownerId, awaitsFactor: false },
    data: { confirmedAt: secondsAfter(systemClock.now(), -360) },
  });
}

/** Signs in with a passkey alone, as the page does; `cookie` is the browser's. */
export async function signInByPasskey(passkey: Authenticator, forgery: Parameters<Authenticator["get"]>[1] = {}) {
  const headers = { Origin: "http://localhost:3000" };
  const path = "/api/v1/owners/passkey_sign_in";
  const begun = bodyOf(await call<{ options: object }>("POST", `${path}_options.php`, { headers, body: {} }));
  return call("POST", `${path}.php`, { headers, body: { passkey: passkey.get(begun.options, forgery) } });
}

/** The owner's security log, oldest first. */
export async function securityLogOf(ownerId: string): Promise<string[]> {
  const events = await prisma().auditEvent.findMany({ where: { subjectId: ownerId }, orderBy: { seq: "asc" } });
  return events.map(({ action }) => action);
}
