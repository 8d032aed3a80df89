import { Fragment, type ReactNode } from "react";
import { CopyCode } from "./copy-code.tsx";

/** Lines to type or send, with a button that copies them. `caption` says what they do. Long lines scroll, or break with `wrap`. */
export function Command({ text, caption, wrap = false }: { text: string; caption?: string; wrap?: boolean }) {
  return (
    <figure className="my-4 border-rule border-y">
      <div className="flex min-h-9 items-baseline justify-between gap-4 pt-1.5">
        <figcaption className="text-13 text-muted">{caption ?? "Command"}</figcaption>
        <CopyCode />
      </div>
      <pre
        tabIndex={wrap ? undefined : 0}
        className={`pb-3 text-15 leading-6 ${wrap ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "scrolls-sideways"}`}
      >
        <code translate="no">{wrap ? withBreaks(text) : text}</code>
      </pre>
    </figure>
  );
}

/** The same text, which may also break within addresses, after their slashes and the names of parameters. */
function withBreaks(text: string): ReactNode[] {
  return text.split(/(?<=[/?&])(?![/\s])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that never change their places
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));
}
