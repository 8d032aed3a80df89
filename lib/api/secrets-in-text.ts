import type { ZodRawShape } from "zod";
import type { FieldError } from "#lib/kernel/errors.ts";
import { isCredential } from "#lib/kernel/fields.ts";
import { findSecrets } from "#lib/kernel/secrets.ts";

const MESSAGE =
  "must not contain a token or key of this service: remove it, and if others have seen it, report it with agents/report_leak.php";
const MAX_DEPTH = 16;
const MAX_ERRORS = 50;

/**
 * The texts of a request that contain a secret of this service: they would be published, or kept where a secret must not be.
 * Fields that are declared as credentials are where a secret belongs, and fields that the request does not have are refused as
 * such.
 */
export function secretsInText(shape: ZodRawShape, request: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, field] of Object.entries(shape))
    if (Object.hasOwn(request, name) && !isCredential(field)) search(request[name], name, errors, 1);
  return errors;
}

function search(value: unknown, path: string, errors: FieldError[], depth: number): void {
  if (errors.length >= MAX_ERRORS || depth > MAX_DEPTH) return;
  if (typeof value === "string") {
    if (findSecrets(value).length > 0) errors.push({ path, message: MESSAGE });
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) search(entry, `${path}.${index}`, errors, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    // A name within an object of ours is declared, any other is refused; neither is shown again here.
    for (const [name, entry] of Object.entries(value))
      search(entry, `${path}.${name.slice(0, 100)}`, errors, depth + 1);
  }
}
