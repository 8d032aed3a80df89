import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { ApiError, type FieldError } from "#lib/kernel/errors.ts";
import { credential, isCredential, text } from "#lib/kernel/fields.ts";
import { findSecrets, newSecret, type SecretPrefix } from "#lib/kernel/secrets.ts";
import { parseInput } from "./input.ts";
import { ADMIN_ENDPOINTS, ENDPOINTS } from "./registry.ts";

const PRIVATE: SecretPrefix[] = ["ghm", "ghc", "ghk"];

function errorsOf(schema: z.ZodObject<z.ZodRawShape>, value: Record<string, unknown>): FieldError[] {
  try {
    parseInput(schema, { value: structuredClone(value) });
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === "invalid_input");
    return error.details.fieldErrors ?? [];
  }
}

const refused = (errors: FieldError[]) =>
  errors.filter(({ message }) => message.startsWith("must not contain a token or key")).map(({ path }) => path);

test("a secret is found anywhere in a text, and look-alikes are not", () => {
  for (const prefix of PRIVATE) {
    const secret = newSecret(prefix);
    for (const around of [secret, `x${secret}x`, `ghm_${secret}`, `${prefix}_${prefix}_${secret}-_`, `(${secret})\n`])
      assert.deepEqual(findSecrets(around, 10), [secret], around);
    assert.deepEqual(findSecrets(`${secret} ${secret}`, 10), [secret, secret]);
    assert.deepEqual(findSecrets(`${secret} ${newSecret("ghc")}`, 1), [secret]);
  }
  const secret = newSecret("ghm");
  const damaged = `${secret.slice(0, 10)}${secret[10] === "A" ? "B" : "A"}${secret.slice(11)}`;
  const others = [damaged, secret.slice(0, -1), secret.toLowerCase().replace("ghm", "GHM"), newSecret("ghv"), "ghm_"];
  for (const other of others) assert.deepEqual(findSecrets(other), [], other);
});

test("a text with too many look-alikes counts as containing a secret", () => {
  const lookAlike = `ghm_${"A".repeat(42)}A `;
  assert.deepEqual(findSecrets(lookAlike.repeat(1_000)), []);
  assert.equal(findSecrets(lookAlike.repeat(1_001)).length, 1);
});

for (const endpoint of [...ENDPOINTS, ...ADMIN_ENDPOINTS]) {
  const { method, path, selector, input } = endpoint;
  test(`${method} ${path}${selector ? ` ${selector.value}` : ""} refuses a secret in every field that is none`, () => {
    for (const prefix of PRIVATE) {
      const secret = newSecret(prefix);
      const said = `My token is ${secret}.`;
      for (const [name, field] of Object.entries(input.shape)) {
        const expected = isCredential(field) ? [] : [name];
        assert.deepEqual(refused(errorsOf(input, { [name]: said })), expected, name);
        assert.deepEqual(refused(errorsOf(input, { [name]: secret })), expected, name);
        if (expected.length === 0) continue;
        assert.deepEqual(refused(errorsOf(input, { [name]: ["text", said] })), [`${name}.1`]);
        assert.deepEqual(refused(errorsOf(input, { [name]: { a: [{ b: said }] } })), [`${name}.a.0.b`]);
        assert.deepEqual(refused(errorsOf(input, { [name]: { a: { [said]: 1 } } })), [`${name}.a`]);
      }
    }
  });
}

test("the fields that carry a credential are these, and no others", () => {
  const names = ENDPOINTS.flatMap(({ input }) =>
    Object.entries(input.shape).flatMap(([name, field]) => (isCredential(field) ? [name] : [])),
  );
  assert.deepEqual([...new Set(names)].sort(), ["claim_token", "community_key", "management_token", "secret"]);
  assert.ok(ADMIN_ENDPOINTS.every(({ input }) => !Object.values(input.shape).some(isCredential)));
});

test("the error names the field and what to do, and does not repeat the secret", () => {
  const secret = newSecret("ghm");
  const schema = z.strictObject({ body: text(10_000), key: credential().optional() });
  const errors = errorsOf(schema, { body: `Look: ${secret}`, key: secret });
  assert.deepEqual(
    errors.map(({ path }) => path),
    ["body"],
  );
  assert.match(errors[0]?.message ?? "", /remove it.*report_leak/);
  assert.ok(!JSON.stringify(errors).includes(secret));
});

test("however many texts contain a secret, at most fifty are named in a short answer", () => {
  const schema = z.strictObject({ list: z.array(text(100)) });
  const errors = errorsOf(schema, { list: Array.from({ length: 200 }, () => newSecret("ghc")) });
  assert.ok(refused(errors).length > 10 && refused(errors).length <= 50);
  assert.ok(JSON.stringify(errors).length <= 6_000);
});
