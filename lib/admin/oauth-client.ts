import { z } from "zod";
import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { registerClient } from "#lib/oauth/clients.ts";
import type { AdminContext } from "./context.ts";

type Input = { name: string; redirectUris: string[]; reason: string };

/** Registers a program for which the administrator vouches on the consent page. @throws ApiError invalid_input */
export async function registerOauthClient(ctx: AdminContext, { name, redirectUris, reason }: Input) {
  const metadata = { client_name: name, redirect_uris: redirectUris };
  const client = await registerClient(metadata, "administrator").catch((error: unknown) => {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    throw invalidInput(issue?.path[0] === "client_name" ? "NAME" : "REDIRECT_URI", issue?.message ?? "is wrong");
  });
  const { client_id: id } = client;
  await transaction((tx) =>
    audit(tx, ctx, { action: "oauth_client", subjectKind: "oauth_client", subjectId: id, reason, data: metadata }),
  );
  return { client_id: id, client_name: name, redirect_uris: redirectUris };
}
