export type Colours = Record<"paper" | "ink" | "muted" | "edge" | "accent", string>;

const NAMES = ["paper", "ink", "muted", "edge", "accent"] as const;

/** The page's colours as a canvas takes them, in the scheme that holds now. */
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

/** Calls back whenever the scheme changes, by the system or by the switch. Returns how to stop. */
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
