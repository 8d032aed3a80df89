/** Where the lines of a start go: a terminal is rewritten in place, anything else gets one line a step. */
type Screen = { isTTY?: boolean; write(text: string): unknown };

type Progress = {
  /** Names a step, does it, and says how it came out (`said`, or "ready") and how long it took. */
  step<T>(title: string, work: (say: (outcome: string) => void) => T | Promise<T>): Promise<T>;
  /** A line between the steps. */
  line(text: string): void;
};

/** Shows the person who starts the service what is happening. */
export function showProgress(screen: Screen = process.stdout, now: () => number = () => performance.now()): Progress {
  const begin = (title: string) => {
    if (screen.isTTY) screen.write(`  ${title} …`);
  };
  const end = (mark: string, title: string, outcome: string, milliseconds: number) => {
    const text = `${mark} ${title}: ${outcome} (${(milliseconds / 1000).toFixed(1)} s)\n`;
    screen.write(screen.isTTY ? `\r${CLEAR_LINE}${text}` : text);
  };
  return {
    async step(title, work) {
      const began = now();
      let outcome = "ready";
      begin(title);
      try {
        const result = await work((said) => {
          outcome = said;
        });
        end("✓", title, outcome, now() - began);
        return result;
      } catch (error) {
        end("✗", title, "not finished", now() - began);
        throw error;
      }
    },
    line(text) {
      screen.write(screen.isTTY ? `\r${CLEAR_LINE}${text}\n` : `${text}\n`);
    },
  };
}

const CLEAR_LINE = "\u001b[2K";
