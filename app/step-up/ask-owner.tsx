import { createRoot } from "react-dom/client";
import { StepUpDialog } from "./step-up-dialog.tsx";

/** Asks the owner to confirm, above whatever page this is. False when the owner declines, or the dialog fails. */
export function askOwner(): Promise<boolean> {
  const place = document.body.appendChild(document.createElement("div"));
  return new Promise<boolean>((answer) => {
    // A tree of its own: few pages ever need the dialog, so no page's tree has a place for it.
    createRoot(place, { onUncaughtError: () => answer(false) }).render(<StepUpDialog end={answer} />);
  }).finally(() => place.remove());
}
