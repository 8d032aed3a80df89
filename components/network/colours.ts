export type Colours = Record<"paper" | "ink" | "muted" | "edge" | "accent", string>;

const NAMES = ["paper", "ink", "muted", "edge", "accent"] as const;

/** The page's colours in the current scheme, in the form that a canvas accepts. */
export function readColours(near: HTMLElement): Colours {
  const probe = document.createElement("span");
  probe.hidden = true;
  near.append(probe);
  const colours = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(colours) as Colours;
}

/** Calls back when the system or the switch changes the scheme. @returns a function that stops it */
export function watchScheme(changed: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    system.removeEventListener("change", changed);
  };
}
