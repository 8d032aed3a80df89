"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";

type Tab = { id: string; title: string; panel: ReactNode };

/**
 * Parts of a document of which one is shown. Without scripts all are shown, one below the other, and the tabs are links to them. An address
 * with the ID of anything in a part opens that part.
 */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const all = useRef<HTMLDivElement>(null);
  /** Undefined until scripts run. */
  const [open, setOpen] = useState<number>();
  const named = useRef<Element | null>(null);

  useEffect(() => {
    const follow = () => {
      const target = window.location.hash ? document.getElementById(window.location.hash.slice(1)) : null;
      const at = [...(all.current?.children ?? [])].findIndex((part) => target && part.contains(target)) - 1;
      named.current = at >= 0 ? target : null;
      setOpen((before) => (at >= 0 ? at : (before ?? 0)));
    };
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);

  // What the address names is in its place only once its part is shown.
  useEffect(() => {
    if (open !== undefined) named.current?.scrollIntoView();
    named.current = null;
  }, [open]);

  function select(at: number) {
    const { id } = tabs[at] ?? {};
    setOpen(at);
    window.history.replaceState(null, "", `#${id}`);
    document.getElementById(`${id}-tab`)?.focus();
  }

  function move(event: KeyboardEvent) {
    const { length } = tabs;
    const [at = 0, last] = [open, length - 1];
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    select((next + length) % length);
  }

  const isReady = open !== undefined;
  return (
    <div ref={all}>
      <div
        {...(isReady ? { role: "tablist", "aria-label": label, onKeyDown: move } : {})}
        className="mt-8 flex flex-wrap gap-x-5 gap-y-1 border-rule border-b"
      >
        {tabs.map(({ id, title }, at) => {
          const isOpen = at === open;
          const asTab = {
            role: "tab",
            "aria-selected": isOpen,
            "aria-controls": `${id}-part`,
            tabIndex: isOpen ? 0 : -1,
          };
          return (
            <a
              key={id}
              id={`${id}-tab`}
              href={`#${id}`}
              {...(isReady ? asTab : {})}
              onClick={(event) => {
                event.preventDefault();
                select(at);
              }}
              className={`-mb-px border-b-2 py-1.5 no-underline ${isReady && isOpen ? "border-accent font-semibold" : "border-transparent"}`}
            >
              {title}
            </a>
          );
        })}
      </div>
      {tabs.map(({ id, panel }, at) => (
        <div
          key={id}
          id={`${id}-part`}
          hidden={isReady && at !== open}
          {...(isReady ? { role: "tabpanel", "aria-labelledby": `${id}-tab` } : {})}
        >
          {panel}
        </div>
      ))}
    </div>
  );
}
