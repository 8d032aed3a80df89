import type { Narrate } from "./order.ts";

export type Narrator = {
  /** Prints one line: who did what, how long it took, and the result. */
  line(who: string, what: string, detail: string, milliseconds?: number): void;
  /** Runs steps for one party and prints a line for each. */
  as(who: string): Narrate;
  /** Prints text between the lines. */
  say(text?: string): void;
};

/** Prints what happens as it happens, in columns. */
export function createNarrator(write: (line: string) => void = console.log): Narrator {
  const line: Narrator["line"] = (who, what, detail, milliseconds) => {
    const text = `${who.padEnd(8)}${took(milliseconds).padStart(8)}  ${what.padEnd(36)}${shorten(detail)}`;
    write(text.trimEnd());
  };
  return {
    line,
    as: (who) => async (what, work, detail) => {
      const began = performance.now();
      const outcome = await work;
      line(who, what, typeof detail === "string" ? detail : detail(outcome), performance.now() - began);
      return outcome;
    },
    say: (text = "") => write(text),
  };
}

function took(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return "";
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** The report at the end has the whole hashes. */
function shorten(detail: string): string {
  return detail.replace(/(sha256:[0-9a-f]{16})[0-9a-f]{48}/g, "$1…");
}
