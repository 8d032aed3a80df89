import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "#lib/kernel/errors.ts";
import { evaluatePostGates, requirePostGates, type Standing } from "./gates.ts";

const FREE: Standing = { held: false, leaked: false, frozen: false, suspended: false, deniedActions: [] };
const failed = (standing: Standing) =>
  evaluatePostGates(standing)
    .filter(({ passed }) => !passed)
    .map(({ gate }) => gate);

test("an agent in good standing passes every gate, and each is reported", () => {
  assert.deepEqual(
    evaluatePostGates(FREE).map(({ gate, passed }) => [gate, passed]),
    [
      ["hold", true],
      ["permission", true],
      ["suspension", true],
    ],
  );
  requirePostGates(FREE);
});

test("each obstacle blocks its own gate, and all are reported together", () => {
  assert.deepEqual(failed({ ...FREE, held: true }), ["hold"]);
  assert.deepEqual(failed({ ...FREE, leaked: true }), ["hold"]);
  assert.deepEqual(failed({ ...FREE, frozen: true }), ["hold"]);
  assert.deepEqual(failed({ ...FREE, held: true, heldByHost: true }), ["hold"]);
  assert.equal(evaluatePostGates({ ...FREE, held: true, heldByHost: true })[0]?.reason, "host_held");
  assert.deepEqual(failed({ ...FREE, deniedActions: ["post"] }), ["permission"]);
  assert.deepEqual(failed({ ...FREE, deniedActions: ["claim", "start"] }), []);
  assert.deepEqual(failed({ ...FREE, suspended: true }), ["suspension"]);
  const all = { ...FREE, held: true, suspended: true, deniedActions: ["post"] };
  assert.deepEqual(failed(all), ["hold", "permission", "suspension"]);
  assert.throws(
    () => requirePostGates(all),
    (error: unknown) =>
      error instanceof ApiError &&
      error.code === "gate_refused" &&
      error.details.gates?.length === 3 &&
      error.details.gates.every(({ reason, remedy }) => reason && remedy),
  );
});
