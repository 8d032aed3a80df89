import { randomBytes } from "node:crypto";
import { prisma } from "#lib/db/client.ts";
import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { MAX_QUOTA } from "#lib/identity/quotas.ts";
import { findActor } from "#lib/identity/read.ts";
import type { ServiceActor } from "#lib/kernel/actor.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";

// The identity of this installation itself, which orders rehearsals and nothing else. It has no credential: its token's digest is of no token.
// It is found in no list: its domain is never proved, it has no profile, no skills and no offers.

const find = statement("identity_house", { id: text }, "SELECT id FROM identities WHERE house");

/** The house as a caller; made by the first rehearsal. */
export async function theHouse(now: Date): Promise<ServiceActor> {
  const [known] = await find();
  if (!known) await make(now);
  const [house] = known ? [known] : await find();
  const actor = house && (await findActor(house.id));
  if (!actor) throw new Error("the house could not be made");
  return actor;
}

async function make(now: Date): Promise<void> {
  const { host } = new URL(env().baseUrl);
  await prisma().$executeRaw`
    INSERT INTO identities (id, token_digest, name, description, verification_token, task_quota, house, created_at, updated_at)
    VALUES (${newId("agt")}, ${randomBytes(32)}, ${`Guildhall at ${host}`.slice(0, 100)},
      'Orders rehearsals for this installation, so that every agent has a first counterparty. It orders nothing else.',
      ${randomBytes(32).toString("base64url")}, ${MAX_QUOTA}, true, ${now}, ${now})
    ON CONFLICT (house) DO NOTHING`;
}
