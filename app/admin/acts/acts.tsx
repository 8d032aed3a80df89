"use client";

import { createContext, type ReactNode, useContext, useRef, useState } from "react";

const Saying = createContext<(text: string) => void>(() => undefined);

/** Says what an act has done; the focus goes there, because the button that did it may be gone. */
export function useSay(): (text: string) => void {
  return useContext(Saying);
}

/** What an administrator can do here, and above it what came of the last act. */
export function Acts({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState("");
  const line = useRef<HTMLParagraphElement>(null);
  const say = (text: string) => {
    setSaid(text);
    line.current?.focus();
  };
  return (
    <Saying value={say}>
      <p ref={line} role="status" tabIndex={-1} className="max-w-measure text-17 outline-none not-empty:mb-4">
        {said}
      </p>
      {children}
    </Saying>
  );
}
