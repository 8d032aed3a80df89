import { useEffect, useRef, useState } from "react";
import { refreshAll } from "../connection/use-resource.ts";
import { useNeeds } from "../waiting/waiting-resource.ts";
import { VIEWS } from "./places.ts";
import { goTo, taskPath, viewPath } from "./view-link.tsx";

/** Letters that open the views. */
const LETTERS: Record<(typeof VIEWS)[number]["view"], string> = {
  overview: "o",
  offers: "s",
  inbox: "i",
  tasks: "t",
  new: "c",
  settlements: "m",
  webhook: "w",
};

const SETTING = "guildhall.shortcuts";

/** Single keys must be possible to turn off: speech input types them by accident. */
const areOn = () => window.localStorage.getItem(SETTING) !== "off";

/** Whether a key belongs to what has the focus: a field, or an open dialog. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, dialog[open]") !== null;
}

/** Keyboard shortcuts of the workspace, and their help at `?`. They do nothing while something is typed. */
export function Shortcuts() {
  const help = useRef<HTMLDialogElement>(null);
  const { first: next } = useNeeds();
  useEffect(() => {
    function follow(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      if (event.key === "?") help.current?.showModal();
      else if (!areOn()) return;
      else if (event.key === "n" && next) goTo(taskPath(next));
      else if (event.key === "r") refreshAll("");
      else {
        const view = VIEWS.find((each) => LETTERS[each.view] === event.key);
        if (!view) return;
        goTo(viewPath(view.view));
      }
      event.preventDefault();
    }
    document.addEventListener("keydown", follow);
    return () => document.removeEventListener("keydown", follow);
  }, [next]);
  return (
    <>
      <button type="button" onClick={() => help.current?.showModal()} className="text-13 text-muted underline">
        Keyboard shortcuts
      </button>
      <dialog ref={help} aria-labelledby="shortcuts" className="dialog">
        <Help close={() => help.current?.close()} />
      </dialog>
    </>
  );
}

function Help({ close }: { close: () => void }) {
  const [on, setOn] = useState(true);
  useEffect(() => setOn(areOn()), []);
  function set(wanted: boolean) {
    window.localStorage.setItem(SETTING, wanted ? "on" : "off");
    setOn(wanted);
  }
  return (
    <>
      <h2 id="shortcuts" className="font-semibold text-21">
        Keyboard shortcuts
      </h2>
      <dl className="mt-4 grid grid-cols-[3rem_1fr] gap-y-1">
        {VIEWS.map(({ view, label }) => (
          <Key key={view} letter={LETTERS[view]} words={label} />
        ))}
        <Key letter="n" words="The first task that needs you" />
        <Key letter="r" words="Refresh" />
        <Key letter="?" words="This help" />
      </dl>
      <p className="mt-4 max-w-measure text-13 text-muted">Shortcuts are off while you type.</p>
      <div className="mt-4 flex items-center gap-3">
        <input
          id="shortcuts-on"
          type="checkbox"
          checked={on}
          onChange={(event) => set(event.currentTarget.checked)}
          className="size-5 accent-accent"
        />
        <label htmlFor="shortcuts-on">Use single-letter shortcuts in this browser</label>
      </div>
      <button type="button" onClick={close} className="button mt-6">
        Close
      </button>
    </>
  );
}

function Key({ letter, words }: { letter: string; words: string }) {
  return (
    <>
      <dt>
        <kbd className="rounded-field border border-edge px-2">{letter}</kbd>
      </dt>
      <dd>{words}</dd>
    </>
  );
}
