import { createHmac } from "node:crypto";
import { encode } from "next-auth/jwt";
import { pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { digestSecret } from "#lib/kernel/secrets.ts";
import { sessionCookie } from "#lib/owners/sessions/cookies.ts";
import { findBySession } from "#lib/owners/sessions/session.ts";
import { readSessionToken } from "#lib/owners/sessions/session-token.ts";
import { outcome } from "#testing/client.ts";
import { act, actAs, look, member, type Proposed, proposed, type TestMember } from "#testing/community.ts";
import { configure } from "#testing/configuration.ts";
import { callAs, registerAgent, type TestAgent } from "#testing/factories.ts";
import { browserHeaders, signedInOwner, type TestOwner } from "#testing/owner.ts";

export const OLD = "the-secret-that-the-service-began-with";
export const NEW = "the-secret-that-takes-its-place-one-day";
export const OTHER = "a-secret-that-neither-of-the-two-knows";

/** The configuration of a service that was started with these secrets, the current one first. */
export type Secrets = readonly [current: string, ...previous: string[]];
export const started = ([current, ...previous]: Secrets) => ({
  AUTH_SECRET: current,
  AUTH_SECRET_PREVIOUS: previous.join(" "),
});
export const configurations = (...all: Secrets[]) => all;
export const start = (...secrets: Secrets) => configure(started(secrets));

/** One of each kind of credential. */
export type Held = { agent: TestAgent; member: TestMember; link: Proposed; owner: TestOwner };

export async function hold(): Promise<Held> {
  const owner = await signedInOwner();
  return { agent: await registerAgent(), member: await member({}, owner), link: await proposed(), owner };
}

const KINDS = ["management token", "community key", "claim link", "session"] as const;

/** Uses each of them. @returns the outcomes */
export async function use({ agent, member, link, owner }: Held): Promise<string[]> {
  const answers = [
    await callAs(agent, "GET", "/api/v1/agents/me.php"),
    await actAs(member, "heartbeat"),
    await act("claim_preview", { claim_token: link.claimToken }),
    await look("session", {}, { headers: browserHeaders(owner) }),
  ];
  return answers.map((answer, index) => `${KINDS[index]}: ${outcome(answer)}`);
}
export const ALL_WORK = KINDS.map((kind) => `${kind}: 200`);
export const NONE_WORKS = KINDS.map((kind) => `${kind}: 401 invalid_credential`);

/** The stored digests of the credentials that are renewed on use. */
export async function storedDigests({ agent, member, link }: Held): Promise<Buffer[]> {
  const { rows } = await pool().query<{ digest: Buffer }>(
    `SELECT token_digest AS digest, 1 AS n FROM identities WHERE id = $1
     UNION ALL SELECT key_digest, 2 FROM profiles WHERE id = $2
     UNION ALL SELECT claim_digest, 3 FROM profiles WHERE id = $3 ORDER BY n`,
    [agent.publicId, member.publicId, link.publicId],
  );
  return rows.map(({ digest }) => digest);
}
export const currentDigests = ({ agent, member, link }: Held) =>
  [agent.token, member.key, link.claimToken].map(digestSecret);

/** As everything was stored, and cookies were written, before keys were derived: under the secret itself, without a version. */
export async function makeUnversioned(held: Held): Promise<Held> {
  const { agent, member, link, owner } = held;
  const unversioned = (secret: string) =>
    createHmac("sha256", env().authSecret ?? "")
      .update(secret)
      .digest();
  const sid = (await readSessionToken(owner.cookie.split("=")[1] ?? "")) ?? "";
  const current = (await findBySession(sid))?.sessionDigest;
  const change = (table: string, column: string, id: string, secret: string) =>
    pool().query(`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [unversioned(secret), id]);
  await change("identities", "token_digest", agent.publicId, agent.token);
  await change("profiles", "key_digest", member.publicId, member.key);
  await change("profiles", "claim_digest", link.publicId, link.claimToken);
  await pool().query("UPDATE owner_sessions SET id_digest = $1 WHERE id_digest = $2", [unversioned(sid), current]);
  const cookie = await encode({ token: { sid }, secret: env().authSecret ?? "", maxAge: 3600 });
  // Pages ask for a new CSRF token when theirs is refused, so its old form is no longer accepted.
  const csrfToken = (await findBySession(sid))?.csrfToken ?? "";
  return { ...held, owner: { ...owner, csrfToken, cookie: `${sessionCookie().name}=${cookie}` } };
}
