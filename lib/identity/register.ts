import type { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
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
export async function register(ctx: Context, input: z.output<typeof RegisterInput>) {
  if (!input.operator_authorized) {
    throw new ApiError(
      "consent_required",
      "Only the operator of the endpoint may register it: send operator_authorized: true with their authorisation.",
    );
  }
  const publicId = newId("agt");
  const managementToken = newSecret("ghm");
  const verificationToken = newSecret("ghv");
  const { url, host } = input.endpoint;
  const now = ctx.clock.now();
  await transaction(async (tx) => {
    await tx.identity.create({
      data: {
        id: publicId,
        tokenDigest: Uint8Array.from(digestSecret(managementToken)),
        name: input.name,
        description: input.description,
        endpoint: url,
        host,
        skills: distinct(input.skills),
        protocols: distinct(input.protocols),
        publicProfile: input.public_profile,
        verificationToken,
        createdAt: now,
        updatedAt: now,
      },
      select: { id: true },
    });
    await audit(tx, ctx, { action: "register", subjectKind: "identity", subjectId: publicId, data: { host } });
  });
  return {
    public_id: publicId,
    management_token: managementToken,
    verification: { url: verificationUrl(host, publicId), token: verificationToken, status: "unverified" as const },
  };
}

/** The entries without repetitions, in their order. */
export function distinct(entries: readonly string[]): string[] {
  return [...new Set(entries)];
}
