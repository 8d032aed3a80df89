import { callInSession, type Outcome, refuse } from "../browser/call.ts";

/**
 * A write as the signed-in owner. If the service first requires a confirmation, the owner is asked for it and the write is sent
 * again.
 */
export async function callAsOwner<Body>(path: string, body: object): Promise<Outcome<Body>> {
  const outcome = await callInSession<Body>(path, body);
  if (outcome.ok || outcome.refusal.reason !== "step_up_required") return outcome;
  if (await confirmOwner()) return callInSession<Body>(path, body);
  return refuse("Nothing was changed, because you did not confirm that it is you. Try again and confirm.", {});
}

let underWay: Promise<boolean> | undefined;

/** Asks the owner to confirm, once for all waiting calls. The dialog is loaded when it is first needed. */
function confirmOwner(): Promise<boolean> {
  underWay ??= import("./step-up-dialog.tsx")
    .then(({ askOwner }) => askOwner())
    .catch(() => false)
    .finally(() => {
      underWay = undefined;
    });
  return underWay;
}
