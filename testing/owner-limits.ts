import assert from "node:assert/strict";
import { pool } from "#lib/db/client.ts";
import type { LimitsWire } from "#lib/owners/limits/schema.ts";
import type { Answer } from "./client.ts";
import { type TestAgent, verifiedAgent } from "./factories.ts";
import { callAsOwner, type TestOwner } from "./owner.ts";

const NONE = { per_task_pence: null, per_day_pence: null, ask_above_pence: null, allowed: [], blocked: [] };

/** A verified agent of this owner. */
export async function ownedAgent({ ownerId }: TestOwner): Promise<TestAgent> {
  const agent = await verifiedAgent();
  await pool().query("UPDATE identities SET owner_id = $2 WHERE id = $1", [agent.publicId, ownerId]);
  return agent;
}

/** Sets these limits, and no others. */
export const setLimits = (owner: TestOwner, { publicId }: TestAgent, limits: object) =>
  callAsOwner<LimitsWire>(owner, "POST", "/api/v1/owners/limits.php", { public_id: publicId, ...NONE, ...limits });

export const decideApproval = (owner: TestOwner, { publicId }: TestAgent, fields: object) =>
  callAsOwner<LimitsWire>(owner, "POST", "/api/v1/owners/approve.php", { public_id: publicId, ...fields });

export const readLimits = async (owner: TestOwner, { publicId }: TestAgent) =>
  (await callAsOwner<LimitsWire>(owner, "GET", `/api/v1/owners/limits.php?public_id=${publicId}`)).body;

/** The reason of the limit that blocks; undefined if the call succeeded. */
export function limitedBy({ error }: Answer<unknown>): string | null | undefined {
  if (!error) return undefined;
  assert.equal(error.code, "gate_refused", error.message);
  const gate = error.gates?.find(({ gate }) => gate === "owner_limits");
  assert.ok(gate?.remedy, "every obstacle has its remedy");
  return gate.reason;
}
