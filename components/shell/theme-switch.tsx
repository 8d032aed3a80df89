"use client";

import { useId, useSyncExternalStore } from "react";

export type Theme = "light" | "dark";

const CHOICES = ["system", "light", "dark"] as const;
const YEAR_SECONDS = 31_536_000;

// The attribute on the root element is authoritative: every switch on the page reads it.
function watchRoot(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

/** Stores the choice in a cookie, so that the server renders the right colours from the start. */
function remember(choice: (typeof CHOICES)[number]) {
  const root = document.documentElement;
  const maxAgeSeconds = choice === "system" ? 0 : YEAR_SECONDS;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain HTTP and in older browsers
  document.cookie = `theme=${choice}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax`;
  if (choice === "system") delete root.dataset.theme;
  else root.dataset.theme = choice;
}

/** Follows the system unless the reader chooses otherwise. Without scripts the system decides. */
export function ThemeSwitch({ theme }: { theme: Theme | null }) {
  const chosen = useSyncExternalStore(
    watchRoot,
    () => document.documentElement.dataset.theme ?? "system",
    () => theme ?? "system",
  );
  const name = useId();
  return (
    <fieldset className="needs-script text-13">
      <legend className="text-muted">Colours</legend>
      <div className="flex gap-3">
        {CHOICES.map((choice) => (
          <label key={choice} className="theme-choice capitalize">
            <input
              type="radio"
              name={name}
              value={choice}
              checked={chosen === choice}
              onChange={() => remember(choice)}
              className="sr-only"
            />
            {choice}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
