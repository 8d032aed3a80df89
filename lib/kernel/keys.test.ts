import assert from "node:assert/strict";
import { test } from "node:test";
import { authenticationCode, isAuthenticationCode, keysFor, seal, unseal } from "./keys.ts";

const OLD = "the first secret of this service, long enough";
const NEW = "the second secret of this service, as long";

function use(authSecret: string, ...authSecretsPrevious: string[]): void {
  Object.assign(globalThis, { guildhallEnv: { authSecret, authSecretsPrevious } });
}

test("every purpose has its own key, and all keys of one secret have the same version", () => {
  use(OLD);
  const [digest] = keysFor("credential digest");
  const [cookie] = keysFor("session cookie");
  assert.equal(digest.bytes.length, 32);
  assert.ok(!digest.bytes.equals(cookie.bytes));
  assert.ok(digest.version.equals(cookie.version));
  use(NEW);
  assert.ok(!keysFor("credential digest")[0].version.equals(digest.version));
});

test("a code stays valid while its secret is configured as a previous one", () => {
  use(OLD);
  const code = authenticationCode("known device", "own_1");
  assert.ok(isAuthenticationCode("known device", "own_1", code));
  assert.ok(!isAuthenticationCode("known device", "own_2", code));
  assert.ok(!isAuthenticationCode("csrf token", "own_1", code));
  assert.ok(!isAuthenticationCode("known device", "own_1", code.subarray(1)));
  use(NEW, OLD);
  assert.ok(isAuthenticationCode("known device", "own_1", code));
  assert.ok(!authenticationCode("known device", "own_1").equals(code));
  use(NEW);
  assert.ok(!isAuthenticationCode("known device", "own_1", code));
});

test("sealed data can be opened only for its owner and only unaltered, also under a previous secret", () => {
  use(OLD);
  const plain = Buffer.from("a shared secret");
  const sealed = seal(plain, "own_1");
  assert.ok(!sealed.includes(plain));
  assert.ok(!seal(plain, "own_1").equals(sealed));
  assert.deepEqual(unseal(sealed, "own_1"), plain);
  assert.equal(unseal(sealed, "own_2"), undefined);
  for (let at = 0; at < sealed.length; at += 1) {
    const altered = Buffer.from(sealed);
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
    assert.equal(unseal(altered, "own_1"), undefined, `byte ${at}`);
  }
  assert.equal(unseal(sealed.subarray(0, 20), "own_1"), undefined);
  use(NEW, OLD);
  assert.deepEqual(unseal(sealed, "own_1"), plain);
  use(NEW);
  assert.equal(unseal(sealed, "own_1"), undefined);
});
