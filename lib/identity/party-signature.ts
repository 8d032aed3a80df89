import { nullable, text } from "#lib/db/columns.ts";
import { currentOrigin } from "#lib/db/log-statement.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { fromBase64url, utf8 } from "#sdk/bytes.ts";
import { verifyEd25519 } from "#sdk/ed25519.ts";
import { viewSigningKey } from "./view.ts";

const findKey = statement(
  "identity.signing_key",
  { key: nullable(text) },
  "SELECT signing_key AS key FROM identities WHERE id = $1",
);

/**
 * Checks what a party signed with its published key.
 * @param kind first line of the text that is signed: `guildhall.accept/1` or `guildhall.submit/1`; the log's origin is the second
 * @param lines the other lines
 * @returns what the transparency log keeps of it; nothing without a signature
 * @throws ApiError invalid_input (no published key, or another text or key)
 */
export async function checkPartySignature(
  { actor }: ServiceContext,
  signature: string | undefined,
  kind: "guildhall.accept/1" | "guildhall.submit/1",
  ...lines: string[]
): Promise<Record<string, unknown>> {
  if (signature === undefined) return {};
  const [{ key } = { key: null }] = await findKey(actor.id);
  if (key === null) throw invalidInput("signature", "needs a signing_key: publish it with agents/profile.php first");
  const origin = await currentOrigin();
  const signed = utf8(`${[kind, origin, ...lines].join("\n")}\n`);
  const [publicKey, bytes] = [fromBase64url(key), fromBase64url(signature)];
  if (!publicKey || !bytes || !(await verifyEd25519(publicKey, bytes, signed)))
    throw invalidInput(
      "signature",
      `must be made with your signing_key over the lines ${kind}, ${[origin, ...lines].join(", ")}, each ended by a line feed`,
    );
  return { signature, signing_key: viewSigningKey(key) };
}
