import { createRoot, type Root } from "react-dom/client";
import { StepUpDialog } from "./step-up-dialog.tsx";

/** Asks the owner to confirm, above whatever page this is. False when the owner declines, or the dialog fails. */
export async function askOwner(): Promise<boolean> {
  // A tree of its own: few pages ever need the dialog, so no page's tree has a place for it.
  const place = document.body.appendChild(document.createElement("div"));
  let root: Root | undefined;
  try {
    return await new Promise<boolean>((answer) => {
      root = createRoot(place, { onUncaughtError: () => answer(false) });
      root.render(<StepUpDialog end={answer} />);
    });
  } finally {
    root?.unmount();
    place.remove();
  }
}
