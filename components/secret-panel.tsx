"use client";

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useCopy } from "./copyable/use-copy.ts";

/**
 * A secret that is shown this once: to be copied, and then put away by whoever has stored it. Nothing is shown while there
 * is none.
 */
export function SecretPanel({
  title,
  secret,
  onStored,
  children,
}: {
  title: string;
  secret: string | null;
  onStored: () => void;
  /** What it is for, and that nothing can show it again. */
  children: ReactNode;
}) {
  const heading = useId();
  const top = useRef<HTMLElement>(null);
  const text = useRef<HTMLElement>(null);
  const away = useRef<HTMLParagraphElement>(null);
  const [isPutAway, setPutAway] = useState(false);
  const { said, copy } = useCopy(secret ?? "", text);

  // It appears where the reader just acted, and must not be missed; nor must the place be lost when it goes.
  useEffect(() => {
    if (secret) top.current?.focus();
    else if (isPutAway) away.current?.focus();
  }, [secret, isPutAway]);

  if (!secret) {
    return isPutAway ? (
      <p ref={away} tabIndex={-1} className="w-fit">
        Put away. It is not shown again.
      </p>
    ) : null;
  }

  function putAway() {
    setPutAway(true);
    onStored();
  }

  return (
    <section ref={top} tabIndex={-1} aria-labelledby={heading} className="border-2 border-caution bg-wash p-4 sm:p-6">
      <h2 id={heading} className="font-semibold text-21">
        {title}
      </h2>
      <div className="mt-1 max-w-measure">{children}</div>
      <p className="mt-4 border-edge border-y bg-paper px-3 py-3">
        <code ref={text} className="break-all text-17">
          {secret}
        </code>
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <button type="button" onClick={copy} className="button button-primary">
          Copy
        </button>
        <button type="button" onClick={putAway} className="button">
          I have stored it
        </button>
        <span role="status" className="text-13 text-muted">
          {said}
        </span>
      </div>
    </section>
  );
}
