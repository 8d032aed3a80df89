import { type FormHTMLAttributes, type ReactNode, type RefObject, useId } from "react";
import { Button } from "../button.tsx";

/**
 * Asks before something that cannot be undone, and names it. The browser's own dialog keeps the focus inside, closes on Escape
 * and returns the focus. Its form does what `action` says.
 */
export function Dialog({
  frame,
  title,
  action,
  look = "button-danger",
  pending,
  form,
  children,
}: {
  /** Open it with `showModal`. */
  frame: RefObject<HTMLDialogElement | null>;
  title: string;
  /** The button that does it, naming the thing. */
  action: string;
  look?: "button-danger" | "button-primary";
  pending: boolean;
  form: FormHTMLAttributes<HTMLFormElement> & { ref?: RefObject<HTMLFormElement | null> };
  /** What happens, and what cannot be restored. */
  children: ReactNode;
}) {
  const heading = useId();
  return (
    <dialog ref={frame} aria-labelledby={heading} className="dialog">
      <form {...form}>
        <h2 id={heading} className="font-semibold text-21 [overflow-wrap:anywhere]">
          {title}
        </h2>
        {children}
        <div className="mt-6 flex flex-wrap items-center gap-3">
          <Button onClick={() => frame.current?.close()}>Not now</Button>
          <button type="submit" aria-disabled={pending || undefined} className={`button ${look}`}>
            {action}
          </button>
          <span role="status" className="text-13 text-muted">
            {pending ? "Sending…" : ""}
          </span>
        </div>
      </form>
    </dialog>
  );
}
