import { expect, type Page } from "playwright/test";

type Allowance = { pattern: RegExp; times: number | "any" };

/**
 * What pages did that they should not: whatever they wrote to their consoles, and requests that failed, were refused or left this
 * origin. A test that means some of it to happen allows it, before or after. All is settled at the end, as the browser reports a
 * fault when it likes: often a moment after the page has shown what came of it.
 */
export class Faults {
  readonly #origin: string;
  readonly #seen: string[] = [];
  readonly #allowances: Allowance[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Notes everything of the kind that this page does from now on. */
  watch(page: Page): void {
    page.on("console", (message) => {
      // The browser's own note that it did what a sign-out asked of it.
      if (message.type() === "info" && message.text().startsWith("Clear-Site-Data header on")) return;
      this.#seen.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.#seen.push(`error: ${error.message}`));
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // Given up by the page, because the reader went on: no fault of anybody.
      if (reason !== "net::ERR_ABORTED") this.#seen.push(`failed: ${request.url()} ${reason}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(`${this.#origin}/`)) this.#seen.push(`elsewhere: ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.#seen.push(`${response.status()}: ${response.url()}`);
    });
  }

  /** Means what fits to happen so many times, or at least once. What is allowed and never happens fails the test. */
  allow(pattern: RegExp, times: number | "any" = "any"): void {
    this.#allowances.push({ pattern, times });
  }

  /** Allows answers with these statuses, which the browser also reports in the console. */
  allowStatus(...statuses: number[]): void {
    for (const status of statuses) {
      this.allow(new RegExp(`^${status}: `), 1);
      this.allow(new RegExp(`^console error: .* status of ${status} `), 1);
    }
  }

  /** Waits until all that was allowed has happened, and fails if it does not, or if anything else did. */
  async settle(): Promise<void> {
    await expect.poll(() => this.#account().awaited, { message: `among ${this.#seen.join("\n")}` }).toEqual([]);
    expect(this.#account().unmeant, "what the page did that it should not").toEqual([]);
  }

  /** Sets each fault against the first allowance that it fits and that is not used up. */
  #account(): { unmeant: string[]; awaited: string[] } {
    const counted = this.#allowances.map((allowance) => ({ ...allowance, came: 0 }));
    const unmeant = this.#seen.filter((fault) => {
      const allowance = counted.find(
        ({ pattern, times, came }) => (times === "any" || came < times) && pattern.test(fault),
      );
      if (allowance) allowance.came += 1;
      return !allowance;
    });
    const awaited = counted
      .filter(({ times, came }) => came < (times === "any" ? 1 : times))
      .map(({ pattern, times, came }) => `${pattern}: ${came} of ${times}`);
    return { unmeant, awaited };
  }
}
