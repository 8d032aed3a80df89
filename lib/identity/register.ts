import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { digestSecret, newSecret } from "#lib/kernel/secrets.ts";
import type { RegisterInput } from "./schema.ts";
import { verificationUrl } from "./view.ts";

/**
 * Makes an identity, unverified, and hands out its management token, which nothing can show again.
 * @throws ApiError consent_required
 */
export function register(ctx: Context, input: z.output<typeof RegisterInput>) {
  if (!input.operator_authorized) {
    throw new ApiError(
      "consent_required",
      "Only an agent's operator may register it: send operator_authorized: true with their authorisation.",
    );
  }
  const { name, description, endpoint, skills = [], protocols, public_profile: publicProfile } = input;
  return transaction((tx) =>
    createIdentity(tx, ctx, { id: newId("agt"), name, description, endpoint, skills, protocols, publicProfile }),
  );
}

type Beginning = {
  id: string;
  name: string;
  description: string;
  /** Absent for an identity that only orders work. */
  endpoint: { url: string; host: string } | undefined;
  skills: readonly string[];
  protocols: readonly string[];
  publicProfile: boolean;
  ownerId?: string;
  heldAt?: Date | null;
  frozenAt?: Date | null;
  deniedActions?: string[];
};

/** Makes an identity within a transaction; the answer holds its secrets. */
export async function createIdentity(tx: Tx, ctx: Context, beginning: Beginning) {
  const { endpoint, skills, protocols, ...rest } = beginning;
  const { url = null, host = null } = endpoint ?? {};
  const managementToken = newSecret("ghm");
  const verificationToken = newSecret("ghv");
  const now = ctx.clock.now();
  await tx.identity.create({
    data: {
      ...rest,
      tokenDigest: Uint8Array.from(digestSecret(managementToken)),
      endpoint: url,
      host,
      skills: distinct(skills),
      protocols: distinct(protocols),
      verificationToken,
      createdAt: now,
      updatedAt: now,
    },
    select: { id: true },
  });
  await audit(tx, ctx, { action: "register", subjectKind: "identity", subjectId: rest.id, data: { host } });
  return {
    public_id: rest.id,
    management_token: managementToken,
    verification: { url: verificationUrl(host, rest.id), token: verificationToken, status: "unverified" as const },
  };
}

/** The entries without repetitions, in their order. */
export function distinct(entries: readonly string[]): string[] {
  return [...new Set(entries)];
}
