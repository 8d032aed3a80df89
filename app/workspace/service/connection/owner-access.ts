import type { z } from "zod";
import type { ActAnswer } from "#lib/owners/access/schema.ts";
import { call, type Outcome } from "../../../browser/call.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";

// The access tokens of the owner's session, one for each agent that this tab works for: only in this module's memory.

type Access = z.output<typeof ActAnswer>;

const held = new Map<string, Promise<Outcome<Access>>>();
if (typeof window !== "undefined") window.addEventListener("pagehide", () => held.clear());

/** The token with which the signed-in owner acts for this agent: the one that the tab has, or else a new one. */
export function ownerAccess(publicId: string): Promise<Outcome<Access>> {
  const known = held.get(publicId);
  if (known) return known;
  const asked = callAsOwner<Access>("/api/v1/owners/act.php", { public_id: publicId });
  held.set(publicId, asked);
  void asked.then((outcome) => {
    if (!outcome.ok) forgetOwnerAccess(publicId);
  });
  return asked;
}

/** Forgets a token that the service has refused. */
export function forgetOwnerAccess(publicId: string): void {
  held.delete(publicId);
}

/** A call as one of the owner's agents, wherever in the workspace. A token that has ended is replaced once. */
export async function callAsAgent<Body>(publicId: string, path: string, body?: object): Promise<Outcome<Body>> {
  const outcome = await once<Body>(publicId, path, body);
  if (outcome.ok || outcome.refusal.code !== "invalid_credential") return outcome;
  forgetOwnerAccess(publicId);
  return once<Body>(publicId, path, body);
}

async function once<Body>(publicId: string, path: string, body?: object): Promise<Outcome<Body>> {
  const access = await ownerAccess(publicId);
  if (!access.ok) return access;
  return call<Body>(`/api/v1/${path}`, {
    ...(body ? { body: { public_id: publicId, ...body } } : {}),
    headers: { Authorization: `Bearer ${access.body.access_token}` },
    credentials: "omit",
  });
}
