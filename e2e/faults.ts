import { expect, type Page } from "playwright/test";

type Allowance = { pattern: RegExp; times: number | "any" };

/**
 * Faults of pages: console messages, and requests that failed, were refused or went to another origin. A test that expects some of
 * them allows them, before or afterwards. They are compared at the end of the test, because the browser often reports a fault a moment
 * after the page has shown its result.
 */
export class Faults {
  readonly #origin: string;
  readonly #seen: string[] = [];
  readonly #allowances: Allowance[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Records the faults of this page from now on. */
  watch(page: Page): void {
    page.on("console", (message) => {
      // Chromium logs that it obeyed the header which a sign-out sends.
      if (message.type() === "info" && message.text().startsWith("Clear-Site-Data header on")) return;
      this.#seen.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.#seen.push(`error: ${error.message}`));
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // Cancelled because the reader went to another page: not a fault.
      if (reason !== "net::ERR_ABORTED") this.#seen.push(`failed: ${request.url()} ${reason}`);
    });
    page.on("request", (request) => {
      // A blob is in the page itself.
      const url = request.url().replace(/^blob:/, "");
      if (!url.startsWith(`${this.#origin}/`)) this.#seen.push(`elsewhere: ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.#seen.push(`${response.status()}: ${response.url()}`);
    });
  }

  /** Expects faults that match `pattern`: exactly `times`, or at least one. A fault that is allowed but never happens fails the test. */
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

  /** Waits until every allowed fault has happened. Fails if one does not, or if there are others. */
  async settle(): Promise<void> {
    await expect.poll(() => this.#account().awaited, { message: `among ${this.#seen.join("\n")}` }).toEqual([]);
    expect(this.#account().unmeant, "unexpected faults of the page").toEqual([]);
  }

  /** Matches each fault with the first allowance that fits it and is not used up. */
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
