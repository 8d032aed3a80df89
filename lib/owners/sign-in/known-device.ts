import { randomBytes } from "node:crypto";
import { authenticationCode, isAuthenticationCode } from "#lib/kernel/keys.ts";
import { deviceCookie, readCookie, writeCookie } from "../sessions/cookies.ts";

// A known device has a cookie with `owner.device.code` for each of up to four accounts, joined by `~`. It gives no access; it
// only exempts the device from the slowing caused by guesses from elsewhere.

const MAX_AGE_SECONDS = 365 * 24 * 3600;
const MAX_ACCOUNTS = 4;
const ENTRY = /^(own_[1-9A-HJ-NP-Za-km-z]{22})\.([\w-]{22})\.([\w-]{43})$/;

type Entry = { ownerId: string; deviceId: string; text: string };

function read(cookieHeader: string | null): Entry[] {
  const value = readCookie(cookieHeader, deviceCookie().name) ?? "";
  // We never write more entries than this, so the rest is ignored.
  return value.split("~", MAX_ACCOUNTS).flatMap((text) => {
    const [, ownerId, deviceId, code] = ENTRY.exec(text) ?? [];
    if (!ownerId || !deviceId || !code) return [];
    const isOurs = isAuthenticationCode("known device", `${ownerId} ${deviceId}`, Buffer.from(code, "base64url"));
    return isOurs ? [{ ownerId, deviceId, text }] : [];
  });
}

/** The random ID that this browser got when it first signed in to the account; undefined if it never did. */
export function knownDevice(cookieHeader: string | null, ownerId: string): string | undefined {
  return read(cookieHeader).find((entry) => entry.ownerId === ownerId)?.deviceId;
}

/** The `Set-Cookie` value after a sign-in: the browser keeps its device ID and is known for another year. */
export function rememberDevice(cookieHeader: string | null, ownerId: string): string {
  const entries = read(cookieHeader);
  const deviceId =
    entries.find((entry) => entry.ownerId === ownerId)?.deviceId ?? randomBytes(16).toString("base64url");
  const code = authenticationCode("known device", `${ownerId} ${deviceId}`).toString("base64url");
  const others = entries.filter((entry) => entry.ownerId !== ownerId).map(({ text }) => text);
  const value = [`${ownerId}.${deviceId}.${code}`, ...others].slice(0, MAX_ACCOUNTS).join("~");
  return writeCookie(deviceCookie(), value, MAX_AGE_SECONDS);
}
