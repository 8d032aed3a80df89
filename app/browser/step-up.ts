// Some acts ask that the owner has just confirmed to be there. The dialog that asks for it is on every page of those who are signed
// in (app/step-up/step-up.tsx); calls find it here.

type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let underWay: Promise<boolean> | undefined;

/** Says who asks; the answer takes it back. */
export function answerStepUps(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = undefined;
  };
}

/** Asks the owner to confirm, once for all calls that wait for it. False when they would rather not, or nothing can ask. */
export function confirmOwner(): Promise<boolean> {
  underWay ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    underWay = undefined;
  });
  return underWay;
}
