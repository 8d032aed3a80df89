import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { requireAdministrator } from "#lib/api/callers/authenticate.ts";
import { ENDPOINTS } from "#lib/api/registry.ts";
import { prisma } from "#lib/db/client.ts";
import { accessOf } from "#lib/kernel/access.ts";
import { Authenticator } from "#testing/authenticator.ts";
import { type Answer, call, outcome, testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { succeeded } from "#testing/factories.ts";
import {
  addPasskey,
  afterPassword,
  cookieOf,
  factor,
  letConfirmationLapse,
  ownerWithTotp,
  sessionOf,
  signInByPasskey,
} from "#testing/factors.ts";
import { browserHeaders, callAsOwner, signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { PASSWORD } from "#testing/sign-in.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { findOwnerActor } from "../sessions/session.ts";

testService();
afterEach(() => configure());

const UNKNOWN_PASSKEY = new Authenticator();

/** A valid call of each endpoint for signed-in owners. */
const CALLS: Record<string, Record<string, unknown>> = {
  factors: {},
  totp_begin: {},
  totp_confirm: { code: "000000" },
  totp_remove: {},
  passkey_options: {},
  passkey_add: {
    passkey: UNKNOWN_PASSKEY.create({ challenge: "AAAA", rp: { id: "localhost" }, user: { id: "AAAA" } }),
  },
  passkey_remove: { passkey_id: UNKNOWN_PASSKEY.id },
  recovery_codes: {},
  step_up_options: {},
  step_up: { code: "000000" },
};

const SECOND_STEP: Record<string, Record<string, unknown>> = {
  second_step_options: {},
  second_step: { recovery_code: "aaaaa-aaaaa" },
};

type State =
  | "awaiting"
  | "without factor, stale"
  | "without factor, fresh"
  | "with factor, stale"
  | "with factor, fresh";

async function ownerIn(state: State): Promise<TestOwner> {
  if (state.startsWith("without")) {
    const owner = await signedInOwner({ password: PASSWORD });
    if (state.endsWith("stale")) await letConfirmationLapse(owner);
    return owner;
  }
  const { owner } = await ownerWithTotp(PASSWORD);
  if (state === "awaiting") return afterPassword(owner);
  if (state.endsWith("stale")) await letConfirmationLapse(owner);
  return owner;
}

const outcomeOf = ({ status, error }: Answer<unknown>) =>
  [status, error?.code, error?.reason].filter(Boolean).join(" ");

const STEP_UP = "403 forbidden step_up_required";

/** The answer of each endpoint in each state; one column per state. */
const MATRIX: Record<string, Record<State, string>> = Object.fromEntries(
  (
    [
      ["factors", "200", "200", "200", "200"],
      ["totp_begin", STEP_UP, "200", STEP_UP, "409 state_conflict"],
      ["totp_confirm", STEP_UP, "409 state_conflict", STEP_UP, "409 state_conflict"],
      ["totp_remove", STEP_UP, "409 state_conflict", STEP_UP, "200"],
      ["passkey_options", STEP_UP, "200", STEP_UP, "200"],
      ["passkey_add", STEP_UP, "422 invalid_input", STEP_UP, "422 invalid_input"],
      ["passkey_remove", STEP_UP, "404 not_found", STEP_UP, "404 not_found"],
      ["recovery_codes", STEP_UP, "409 state_conflict", STEP_UP, "200"],
      ["step_up_options", "409 state_conflict", "409 state_conflict", "409 state_conflict", "409 state_conflict"],
      ["step_up", "409 state_conflict", "409 state_conflict", "422 invalid_input", "422 invalid_input"],
    ] as const
  ).map(([name, one, two, three, four]) => [
    name,
    {
      awaiting: "401 invalid_credential",
      "without factor, stale": one,
      "without factor, fresh": two,
      "with factor, stale": three,
      "with factor, fresh": four,
    },
  ]),
);

test("every second-factor endpoint is in one of this file's tables", () => {
  const paths = ENDPOINTS.map(({ path }) => path.replace("/api/v1/owners/", "").replace(".php", ""));
  const tested = paths.filter((path) => /totp|passkey|recovery|step|factors/.test(path));
  const listed = [...Object.keys(CALLS), ...Object.keys(SECOND_STEP), "passkey_sign_in_options", "passkey_sign_in"];
  assert.deepEqual(tested.sort(), listed.sort());
  assert.deepEqual(Object.keys(MATRIX), Object.keys(CALLS));
});

for (const [name, states] of Object.entries(MATRIX)) {
  test(`${name} answers each kind of session as it should`, async () => {
    for (const [state, expected] of Object.entries(states) as [State, string][])
      assert.equal(outcomeOf(await factor(await ownerIn(state), name, CALLS[name])), expected, state);
  });
}

test("the endpoints of owners refuse a visitor, a foreign Origin and another session's token", async () => {
  const owner = await ownerIn("with factor, fresh");
  const other = await signInAgain(owner);
  const [awaiting, otherAwaiting] = [await afterPassword(owner), await afterPassword(owner)];
  for (const [calls, session, foreign] of [
    [CALLS, owner, other],
    [SECOND_STEP, awaiting, otherAwaiting],
  ] as const)
    for (const [name, body] of Object.entries(calls)) {
      if (name === "factors") continue;
      const headers = browserHeaders(session);
      const { Cookie: _, ...visitor } = headers;
      const { "X-CSRF-Token": __, ...tokenless } = headers;
      const { Origin: ___, ...originless } = headers;
      await changesNothing(name, async () => {
        for (const [wrong, expected] of [
          [visitor, "401 invalid_credential"],
          [tokenless, "403 csrf_failed"],
          [originless, "403 csrf_failed"],
          [{ ...headers, Origin: "http://evil.example" }, "403 csrf_failed"],
          [{ ...headers, Origin: `${headers.Origin}/` }, "403 csrf_failed"],
          [{ ...headers, "X-CSRF-Token": `${session.csrfToken}x` }, "403 csrf_failed"],
          [{ ...headers, "X-CSRF-Token": foreign.csrfToken }, "403 csrf_failed"],
        ] as const) {
          const answer = await call("POST", `/api/v1/owners/${name}.php`, { headers: wrong, body });
          assert.equal(outcome(answer), expected, name);
        }
      });
    }
});

test("only sessions that await the second step can take it", async () => {
  for (const state of ["without factor, fresh", "with factor, fresh"] as const)
    for (const [name, body] of Object.entries(SECOND_STEP))
      assert.equal(outcomeOf(await factor(await ownerIn(state), name, body)), "401 invalid_credential");
});

test("every other endpoint treats a session that awaits its second factor as no session", async () => {
  const { owner } = await ownerWithTotp();
  await prisma().owner.update({ where: { id: owner.ownerId }, data: { role: "administrator" } });
  const awaiting = await afterPassword(owner);
  const nobody = { Origin: "http://localhost:3000", "X-CSRF-Token": awaiting.csrfToken };
  const taking = ENDPOINTS.filter(({ auth }) => accessOf(auth).session === "owner");
  assert.ok(taking.length > 20);
  for (const { method, path, selector } of taking) {
    const select: Record<string, string> = selector ? { [selector.field]: selector.value } : {};
    const ask = (headers: Record<string, string>) =>
      method === "GET" ? call(method, path, { headers, query: select }) : call(method, path, { headers, body: select });
    const [with_, without] = [await ask({ ...nobody, Cookie: awaiting.cookie }), await ask(nobody)];
    const name = `${path} ${JSON.stringify(select)}`;
    assert.equal(outcome(with_), "401 invalid_credential", name);
    assert.deepEqual(with_.error, without.error, name);
  }
  assert.equal(await findOwnerActor(awaiting.cookie), undefined, "which pages go by");
  const request = new Request("http://localhost:3000/api/v1/admin/suspend.php", {
    headers: { Cookie: awaiting.cookie },
  });
  await assert.rejects(requireAdministrator(request.headers), { code: "not_found" });
});

test("an administrator without the required second factor can only set one up", async () => {
  const owner = await signedInOwner({ role: "administrator" });
  const act = () => callAsOwner(owner, "POST", "/api/v1/admin/suspend.php", { reason: "x", public_id: "agt_x" });
  assert.equal((await act()).status, 422, "optional over plain HTTP");
  await configure({ ADMIN_SECOND_FACTOR: "required" });
  const required = "403 forbidden second_factor_required";
  assert.equal(outcomeOf(await act()), required);
  for (const method of ["GET", "OPTIONS", "DELETE"])
    assert.equal(outcomeOf(await call(method, "/api/v1/admin/risk.php", { headers: browserHeaders(owner) })), required);
  const nobody = await signedInOwner();
  const hidden = await call("POST", "/api/v1/admin/suspend.php", { headers: browserHeaders(nobody), body: {} });
  const missing = await call("POST", "/api/v1/admin/nothing.php", { headers: browserHeaders(nobody), body: {} });
  assert.deepEqual([hidden.status, hidden.error], [missing.status, missing.error]);
  assert.equal(outcome(await factor(owner, "factors")), "200");
  const { passkey } = await addPasskey(owner);
  assert.equal((await act()).status, 422);
  const again = await signInByPasskey(passkey);
  const session = await sessionOf(owner, cookieOf(again));
  const answer = await callAsOwner(session, "POST", "/api/v1/admin/suspend.php", { reason: "x", public_id: "agt_x" });
  assert.equal(answer.status, 422);
  succeeded(await factor(owner, "passkey_remove", { passkey_id: passkey.id }));
  assert.equal(outcomeOf(await act()), required);
});

test("by default, administrators need a second factor under https", async () => {
  await configure({ BASE_URL: "https://hall.example" });
  const owner = await signedInOwner({ role: "administrator" });
  const fields = { reason: "x", public_id: "agt_x" };
  const answer = await callAsOwner(owner, "POST", "/api/v1/admin/suspend.php", fields);
  assert.equal(outcomeOf(answer), "403 forbidden second_factor_required");
  await configure({ BASE_URL: "https://hall.example", ADMIN_SECOND_FACTOR: "optional" });
  assert.equal((await callAsOwner(owner, "POST", "/api/v1/admin/suspend.php", fields)).status, 422);
});
