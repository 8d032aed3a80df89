import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { hashPassword } from "#lib/owners/account/password.ts";
import { sessionCookie } from "#lib/owners/sessions/cookies.ts";
import { findBySession, openSession } from "#lib/owners/sessions/session.ts";
import { writeSessionToken } from "#lib/owners/sessions/session-token.ts";
import { type Answer, call } from "./client.ts";
import { succeeded, type TestAgent } from "./factories.ts";

export type TestOwner = {
  ownerId: string;
  name: string;
  email: string;
  /** The whole `Cookie` header of the owner's browser. */
  cookie: string;
  /** Answers this session's `X-CSRF-Token`. */
  csrfToken: string;
};

/** How many owners this test file has made: files that share a process begin with one again, so that their examples stay the same. */
const shared = globalThis as { guildhallTestOwners?: number };

/** A signed-in owner, without a password unless one is given. Created in the database, because other tests cover signing up. */
export async function signedInOwner(
  overrides: { name?: string; email?: string; role?: "owner" | "administrator"; password?: string } = {},
) {
  const made = (shared.guildhallTestOwners ?? 0) + 1;
  shared.guildhallTestOwners = made;
  const owner = {
    id: newId("own"),
    email: overrides.email ?? `owner-${made}@example.com`,
    name: overrides.name ?? `Owner ${made}`,
    role: overrides.role ?? ("owner" as const),
  };
  const passwordHash = overrides.password === undefined ? null : await hashPassword(overrides.password);
  await prisma().owner.create({ data: { ...owner, passwordHash, createdAt: systemClock.now() } });
  return signInAgain({ ownerId: owner.id, name: owner.name, email: owner.email });
}

/** A further session of the same owner, as from another browser. */
export async function signInAgain(owner: Pick<TestOwner, "ownerId" | "name" | "email">): Promise<TestOwner> {
  const sid = await openSession({ ownerId: owner.ownerId, userAgent: "Test browser" });
  const actor = sid && (await findBySession(sid));
  if (!actor) throw new Error("The session that was just opened is not live.");
  return {
    ...owner,
    cookie: `${sessionCookie().name}=${await writeSessionToken(sid)}`,
    csrfToken: actor.csrfToken,
  };
}

/** The headers that the service's pages send with a write. */
export function browserHeaders({ cookie, csrfToken }: TestOwner): Record<string, string> {
  return { Cookie: cookie, Origin: env().baseUrl, "X-CSRF-Token": csrfToken };
}

/** A call from the owner's browser; `fields` go into the query of a GET and into the body of a POST. */
export function callAsOwner<Body = unknown>(
  owner: TestOwner,
  method: "GET" | "POST",
  path: string,
  fields: Record<string, unknown> = {},
): Promise<Answer<Body>> {
  const headers = browserHeaders(owner);
  return method === "GET"
    ? call(method, path, { headers: { Cookie: headers.Cookie ?? "" }, query: fields as Record<string, string> })
    : call(method, path, { headers, body: fields });
}

/** The agent as its owner acts for it in this session. */
export async function actingAs(owner: TestOwner, agent: TestAgent): Promise<TestAgent> {
  const fields = { public_id: agent.publicId };
  const answer = await callAsOwner<{ access_token: string }>(owner, "POST", "/api/v1/owners/act.php", fields);
  succeeded(answer, 201);
  return { ...agent, token: answer.body.access_token };
}
