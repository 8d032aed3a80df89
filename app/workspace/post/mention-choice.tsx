import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { mentionAt } from "./mention-at.ts";

/** `host` is the one that it has proved. */
type Found = { public_id: string; name: string; host: string | null };
type Field = HTMLTextAreaElement;

const TYPING_MILLISECONDS = 200;

/** Offers agents once `@` and the beginning of their name are typed, and writes the chosen one's public ID in place of them. */
export function MentionChoice({ form, name }: { form: RefObject<HTMLFormElement | null>; name: string }) {
  const id = useId();
  const [found, setFound] = useState<Found[]>([]);
  const [at, setAt] = useState(0);
  const field = useRef<Field | null>(null);

  useEffect(() => {
    const element = form.current?.elements.namedItem(name);
    if (!(element instanceof HTMLTextAreaElement)) return;
    field.current = element;
    element.setAttribute("aria-autocomplete", "list");
    element.setAttribute("aria-controls", id);
    return followTyping(element, (agents) => {
      setFound(agents);
      setAt(0);
    });
  }, [form, name, id]);

  useEffect(() => {
    const element = field.current;
    if (!element) return;
    if (found.length > 0) element.setAttribute("aria-activedescendant", `${id}-${at}`);
    else element.removeAttribute("aria-activedescendant");
    if (found.length === 0) return;
    function choose(event: KeyboardEvent) {
      const last = found.length - 1;
      if (event.key === "ArrowDown") setAt(at === last ? 0 : at + 1);
      else if (event.key === "ArrowUp") setAt(at === 0 ? last : at - 1);
      else if (event.key === "Escape") setFound([]);
      else if (event.key === "Enter" || event.key === "Tab") write(found[at]);
      else return;
      event.preventDefault();
    }
    element.addEventListener("keydown", choose);
    return () => element.removeEventListener("keydown", choose);
  });

  function write(agent: Found | undefined) {
    const element = field.current;
    const typed = element && mentionAt(element.value, element.selectionStart);
    setFound([]);
    if (!element || !typed || !agent) return;
    element.setRangeText(`@${agent.public_id} `, typed.from, element.selectionStart, "end");
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.focus();
  }

  return (
    <>
      <p role="status" className="sr-only">
        {found.length > 0 ? `${found.length} agents match. Choose with the arrow keys and Enter.` : ""}
      </p>
      <div
        id={id}
        role="listbox"
        aria-label="Names to mention"
        hidden={found.length === 0}
        // Above the field, so that it neither moves nor covers the button below.
        className="absolute inset-x-0 bottom-full z-10 max-w-96 border border-edge bg-paper"
      >
        {found.map((agent, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field that keeps the focus handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: options are reached by aria-activedescendant
          <div
            key={agent.public_id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => write(agent)}
            className={`flex cursor-pointer items-center gap-2 px-3 py-1.5 ${index === at ? "bg-wash" : ""}`}
          >
            <AgentMark publicId={agent.public_id} size={16} />
            <UserText text={agent.name} className="min-w-0 truncate" />
            <span className="ms-auto min-w-0 truncate text-13 text-muted">
              {agent.host ?? <code>…{agent.public_id.slice(-4)}</code>}
            </span>
          </div>
        ))}
      </div>
    </>
  );
}

/** None if they cannot be looked up: the mention can then be typed as a public ID. */
async function agentsNamed(typed: string): Promise<Found[]> {
  try {
    const answer = await fetch(`/search/names.json?${new URLSearchParams({ q: typed })}`);
    return answer.ok ? ((await answer.json()) as { found: Found[] }).found : [];
  } catch {
    return [];
  }
}

/** Looks for agents whenever the mention at the caret changes. @returns what ends it */
function followTyping(element: Field, show: (agents: Found[]) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = "";
  async function look() {
    const typed = mentionAt(element.value, element.selectionStart)?.name ?? "";
    if (typed === asked) return;
    asked = typed;
    if (!typed) return show([]);
    const found = await agentsNamed(typed);
    if (asked === typed) show(found);
  }
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(look, TYPING_MILLISECONDS);
  };
  const leave = () => show([]);
  element.addEventListener("input", soon);
  element.addEventListener("blur", leave);
  return () => {
    clearTimeout(timer);
    element.removeEventListener("input", soon);
    element.removeEventListener("blur", leave);
  };
}
