import hooks, { type AsyncHook, type HookCallbacks } from "node:async_hooks";

// Loaded before Node's test runner, to make it cheaper. The runner follows every promise, to know which test an error belongs to, and
// lets V8 tell it when each of them is gone. That is a sixth of the processor time of tests that query the database much. Here it is
// told when many younger ones exist instead. An uncaught error in an older one belongs to no test then, which fails the run as well.

/** So many of the youngest resources belong to a test. */
const FOLLOWED = 100_000;

const { createHook } = hooks;

function createCheaperHook(callbacks: HookCallbacks): AsyncHook {
  const { init, destroy, ...others } = callbacks;
  if (!init || !destroy || Object.keys(others).length > 0 || !isOfTestRunner()) return createHook(callbacks);
  const ids = new Float64Array(FOLLOWED);
  let at = 0;
  return createHook({
    init(id, type, ...rest) {
      init(id, type, ...rest);
      // A test itself may be older.
      if (type === "Test") return;
      if (ids[at]) destroy(ids[at] as number);
      ids[at] = id;
      at = (at + 1) % FOLLOWED;
    },
  });
}

const isOfTestRunner = () => new Error("for its stack").stack?.includes("node:internal/test_runner/") === true;

Object.assign(hooks, { createHook: createCheaperHook });
