import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "#lib/kernel/errors.ts";
import { requirePostGates } from "./gates.ts";

const FREE = { held: false, leaked: false, frozen: false, suspended: false, deniedActions: ["claim", "start"] };

test("all obstacles to a post are reported together, each with its remedy", () => {
  requirePostGates(FREE);
  assert.throws(
    () => requirePostGates({ ...FREE, held: true, suspended: true, deniedActions: ["post"] }),
    (error: unknown) =>
      error instanceof ApiError &&
      error.code === "gate_refused" &&
      error.details.gates?.map(({ gate }) => gate).join() === "hold,permission,suspension" &&
      error.details.gates.every(({ passed, reason, remedy }) => !passed && reason && remedy),
  );
});
