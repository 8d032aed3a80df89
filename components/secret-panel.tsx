"use client";

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { useCopy } from "./copy-code.tsx";
import { download } from "./download.ts";

/**
 * A secret, or several, shown once: the reader copies it, stores it and dismisses the panel. Renders nothing without a secret.
 */
export function SecretPanel({
  title,
  secret,
  onStored,
  file,
  children,
}: {
  title: string;
  secret: string | readonly string[] | null;
  onStored: () => void;
  /** Offers it as a text file of this name. */
  file?: string;
  /** What it is for, and that it cannot be shown again. */
  children: ReactNode;
}) {
  const heading = useId();
  const top = useRef<HTMLElement>(null);
  const text = useRef<HTMLParagraphElement>(null);
  const dismissed = useRef<HTMLParagraphElement>(null);
  const [isDismissed, setDismissed] = useState(false);
  const secrets = typeof secret === "string" ? [secret] : (secret ?? []);
  const { notice, copy } = useCopy(() => text.current, secrets.join("\n"));

  // The focus moves to the panel so that it is not missed, and stays in place when the panel goes.
  useEffect(() => {
    if (secret) top.current?.focus();
    else if (isDismissed) dismissed.current?.focus();
  }, [secret, isDismissed]);

  if (!secret) {
    return isDismissed ? (
      <p ref={dismissed} tabIndex={-1} className="w-fit">
        Dismissed. The secret cannot be shown again.
      </p>
    ) : null;
  }

  function dismiss() {
    setDismissed(true);
    onStored();
  }

  return (
    <section ref={top} tabIndex={-1} aria-labelledby={heading} className="border-2 border-caution bg-wash p-4 sm:p-6">
      <h2 id={heading} className="font-semibold text-21">
        {title}
      </h2>
      <div className="mt-1 max-w-measure">{children}</div>
      <p
        ref={text}
        className={`mt-4 border-edge border-y bg-paper px-3 py-3 ${secrets.length > 1 ? "grid gap-x-8 gap-y-1 sm:grid-cols-2" : ""}`}
      >
        {secrets.map((each) => (
          <code key={each} className="break-all text-17">
            {each}
          </code>
        ))}
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button onClick={copy} look="primary">
          Copy
        </Button>
        {file ? (
          <Button onClick={() => download(file, [`${secrets.join("\n")}\n`], "text/plain")}>Download</Button>
        ) : null}
        <Button onClick={dismiss}>{secrets.length > 1 ? "I have stored them" : "I have stored it"}</Button>
        <span role="status" className="text-13 text-muted">
          {notice}
        </span>
      </div>
    </section>
  );
}
