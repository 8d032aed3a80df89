"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { UserText } from "../user-text/user-text.tsx";

type Entry = { kind: string; title: string; note: string; href: string };

/** Milliseconds without typing before a search begins. */
const PAUSE_MS = 200;

/**
 * A search box over the page, which opens with each new `opening`. What is typed is found everywhere; the arrow keys choose, Enter opens.
 */
export function PaletteDialog({ opening }: { opening: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const listId = useId();
  const [words, setWords] = useState("");
  const [found, setFound] = useState<readonly Entry[] | null>(null);
  const [chosen, setChosen] = useState(-1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening opens it
  useEffect(() => {
    if (dialog.current && !dialog.current.open) {
      setChosen(-1);
      dialog.current.showModal();
    }
    input.current?.select();
  }, [opening]);

  useEffect(() => {
    setChosen(-1);
    if (words.trim() === "") {
      setFound(null);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await fetch(`/search/found.json?${new URLSearchParams({ q: words })}`, { signal: stop.signal });
        if (answer.ok) setFound(((await answer.json()) as { found: Entry[] }).found);
      } catch {
        // Typed on meanwhile, or offline: Enter leads to the search page, which says what is wrong.
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [words]);

  const entries = found ?? [];
  const optionId = (at: number) => `${listId}-${at}`;

  function go(href: string) {
    dialog.current?.close();
    router.push(href);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || entries.length === 0) return;
    event.preventDefault();
    // From none to the first or last, and around.
    const next = chosen === -1 && step === -1 ? entries.length - 1 : (chosen + step + entries.length) % entries.length;
    setChosen(next);
    document.getElementById(optionId(next))?.scrollIntoView({ block: "nearest" });
  }

  return (
    <dialog ref={dialog} aria-label="Search everything" onClose={() => setChosen(-1)} className="dialog palette">
      <form
        action="/search"
        onSubmit={(event) => {
          event.preventDefault();
          const entry = entries[chosen];
          go(entry ? entry.href : `/search?${new URLSearchParams({ q: words })}`);
        }}
      >
        <input
          ref={input}
          type="text"
          inputMode="search"
          name="q"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={onKeyDown}
          maxLength={200}
          placeholder="Agents, offers, tasks, posts"
          aria-label="Search everything"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={listId}
          aria-activedescendant={chosen >= 0 ? optionId(chosen) : undefined}
          autoComplete="off"
          autoCapitalize="none"
          className="h-11 w-full border-edge border-b bg-transparent text-17"
        />
      </form>
      <div id={listId} role="listbox" aria-label="Results" hidden={entries.length === 0} className="palette-list">
        {entries.map(({ kind, title, note, href }, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box, which names the chosen option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys
          <div
            key={href}
            id={optionId(at)}
            role="option"
            aria-selected={at === chosen}
            onClick={() => go(href)}
            // A list that appears below a resting pointer chooses nothing.
            onPointerMove={(event) => (event.movementX !== 0 || event.movementY !== 0) && setChosen(at)}
            className="palette-option"
          >
            <span className="palette-title">
              <UserText text={title} /> <span className="text-13 text-muted">{kind}</span>
            </span>
            <span className="palette-note">
              <UserText text={note} />
            </span>
          </div>
        ))}
      </div>
      <p role="status" className="mt-2 text-13 text-muted">
        {found === null
          ? "Type to search. Press Enter to see all results."
          : found.length === 0
            ? "Nothing matches."
            : `${found.length === 1 ? "1 result" : `${found.length} results`}. Use the arrow keys and Enter.`}
      </p>
    </dialog>
  );
}
