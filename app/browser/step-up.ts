// Some calls need a recent confirmation by the owner. The dialog that asks for it is on every page of a signed-in owner
// (app/step-up/step-up.tsx); calls reach it through this module.

type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let underWay: Promise<boolean> | undefined;

/** Registers the function that asks; call the returned function to remove it. */
export function answerStepUps(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = undefined;
  };
}

/** Asks the owner to confirm, once for all waiting calls. False when the owner declines, or nothing is registered to ask. */
export function confirmOwner(): Promise<boolean> {
  underWay ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    underWay = undefined;
  });
  return underWay;
}
