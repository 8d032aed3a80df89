import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What one part of the run (a test file, or a stage that is one piece) takes, in milliseconds, by the part's name. */
export type Durations = Record<string, number>;

/** The durations in a file; none if it is missing or unreadable. */
export function readDurations(file: string): Durations {
  try {
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Durations) : {};
  } catch {
    return {};
  }
}

export function writeDurations(file: string, durations: Durations): void {
  mkdirSync(dirname(file), { recursive: true });
  const sorted = Object.entries(durations).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), undefined, 1)}\n`);
}

type Part = { name: string; workers: number; doneAtMs?: number };

/** Parts about which nothing else is known, by the end of their names. */
const USUAL_MS: [end: string, ms: number][] = [
  [".itest.ts", 2_500],
  [".spec.ts", 9_000],
  [".ts", 700],
  ["", 4_000],
];
/** How long the first estimate outweighs this run's own pace. */
const TRUST_MS = 30_000;

/**
 * Estimates the time left. Earlier durations say how long the parts take in relation to each other; this run shows how fast the
 * machine is now.
 */
export class Estimate {
  readonly #expected: Durations;
  readonly #parts = new Map<string, Part>();
  #workDoneMs = 0;

  constructor(expected: Durations) {
    this.#expected = expected;
  }

  /** Adds parts, of which `workers` run at the same time. */
  plan(names: readonly string[], workers = 1): void {
    for (const name of names) this.#parts.set(name, { name, workers });
  }

  expectedMs(name: string): number {
    return this.#expected[name] ?? USUAL_MS.find(([end]) => name.endsWith(end))?.[1] ?? 0;
  }

  finish(name: string): void {
    const part = this.#parts.get(name);
    if (!part) return;
    this.#workDoneMs += this.expectedMs(name) / part.workers;
    this.#parts.delete(name);
  }

  /** Time that the remaining parts take, if `elapsedMs` have passed since the start. */
  leftMs(elapsedMs: number): number {
    let left = 0;
    for (const { name, workers } of this.#parts.values()) left += this.expectedMs(name) / workers;
    const pace = (elapsedMs + TRUST_MS) / (this.#workDoneMs + TRUST_MS);
    return left * pace;
  }

  /** The share of the work that is done, from 0 to 1. */
  doneShare(): number {
    const left = this.leftMs(this.#workDoneMs);
    return this.#workDoneMs / Math.max(1, this.#workDoneMs + left);
  }
}

/** "about 4 min", "less than a minute". */
export function aboutTime(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 1 ? "less than a minute" : `about ${minutes} min`;
}

type Screen = { isTTY?: boolean; write(text: string): unknown };

const QUIET_MS = 20_000;
const CLEAR_LINE = "\r\u001b[2K";

/** Shows how far the run is: on a terminal in one line that changes, elsewhere in a new line every 20 seconds. */
export class ProgressLine {
  readonly #screen: Screen;
  readonly #now: () => number;
  #lastMs: number;

  constructor(screen: Screen = process.stdout, now: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#now = now;
    this.#lastMs = now();
  }

  show(text: string): void {
    if (this.#screen.isTTY) {
      this.#screen.write(`${CLEAR_LINE}  ${text}`);
    } else if (this.#now() - this.#lastMs >= QUIET_MS) {
      this.#screen.write(`  ${text}\n`);
      this.#lastMs = this.#now();
    }
  }

  /** Prints a line that stays. */
  print(text: string): void {
    this.#screen.write(`${this.#screen.isTTY ? CLEAR_LINE : ""}${text}\n`);
    this.#lastMs = this.#now();
  }
}
