import { useEffect, useId, useRef } from "react";
import { disconnect, stayConnected } from "./connection.ts";

/** Warns a minute before an idle connection ends. Escape keeps it open, like the first button. */
export function IdleWarning({ shown }: { shown: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (shown) dialog.current?.showModal();
    else dialog.current?.close();
  }, [shown]);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={heading}
      aria-describedby={`${heading}-text`}
      onCancel={stayConnected}
      className="dialog"
    >
      <h2 id={heading} className="font-semibold text-21">
        Still there?
      </h2>
      <p id={`${heading}-text`} className="mt-2 max-w-measure">
        You have not used this tab for 29 minutes. In one minute it disconnects and forgets the token. This does not
        revoke the token, and what you typed stays in this tab.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <button type="button" onClick={stayConnected} className="button button-primary">
          Stay connected
        </button>
        <button type="button" onClick={() => disconnect("asked")} className="button">
          Disconnect now
        </button>
      </div>
    </dialog>
  );
}
