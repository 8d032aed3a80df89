import type { ZodRawShape } from "zod";
import type { FieldError } from "#lib/kernel/errors.ts";
import { isCredential } from "#lib/kernel/fields.ts";
import { findSecrets } from "#lib/kernel/secrets.ts";

const MESSAGE =
  "must not contain a token or key of this service: remove it, and if others have seen it, report it with agents/report_leak.php";
const MAX_DEPTH = 16;
const MAX_ERRORS = 50;

/**
 * The text fields of a request that contain a secret of this service, which would be published or stored. Fields declared as
 * credentials may contain one. Unknown fields are refused for being unknown.
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
    for (const [name, entry] of Object.entries(value)) {
      // The path would repeat the secret.
      const isSecret = findSecrets(name).length > 0;
      if (isSecret) errors.push({ path, message: MESSAGE });
      search(entry, isSecret ? path : `${path}.${name.slice(0, 100)}`, errors, depth + 1);
    }
  }
}
