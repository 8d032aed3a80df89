import { expect, type Page } from "playwright/test";

/** Elements, attributes, links and invisible characters in a page that the service did not put there. `root` may be a page that was only fetched. */
function intrudersIn(root: ParentNode): string[] {
  const main = root.querySelector("main") ?? root.querySelector("body");
  if (!main) return ["no page at all"];
  const found = [
    ...main.querySelectorAll("script, style, iframe, img, object, embed, link, meta, base, video, math, form"),
  ];
  const isOurs = (form: Element) => /^(\/|$)/.test(form.getAttribute("action") ?? "");
  const foreign = found.filter((element) => !(element.matches("form") && isOurs(element)));
  const attributes = [...main.querySelectorAll("*")].flatMap((element) =>
    [...element.attributes].filter(
      ({ name, value }) =>
        name.startsWith("on") ||
        name === "style" ||
        (/^(href|src|action|formaction|poster|srcset)$/.test(name) && !/^(https?:\/\/|\/(?!\/)|#|\?)/.test(value)),
    ),
  );
  const outside = [...main.querySelectorAll('a[href^="http"]')].filter(
    (link) =>
      link.getAttribute("rel") !== "nofollow ugc noopener" &&
      new URL((link as HTMLAnchorElement).href).origin !== location.origin,
  );
  // Invisible characters must appear as labels, not as themselves.
  const shown = main.cloneNode(true) as Element;
  // Except in text that readers hash: it must stay unchanged.
  for (const exact of shown.querySelectorAll("details pre")) exact.remove();
  const unseen =
    (shown.textContent ?? "").match(
      /[\u00AD\u061C\u180E\u200B\u200E\u200F\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\u{E0000}-\u{E007F}]/gu,
    ) ?? [];
  return [
    ...foreign.map((element) => `element: ${element.outerHTML.slice(0, 120)}`),
    ...attributes.map(({ name, value }) => `attribute: ${name}=${value.slice(0, 120)}`),
    ...outside.map((link) => `link: ${link.outerHTML.slice(0, 120)}`),
    ...new Set(unseen.map((sign) => `unseen: U+${sign.codePointAt(0)?.toString(16)}`)),
  ];
}

type Checking = { intrudersIn(root: ParentNode): string[] };

/** Records everything that a page does beyond showing text: code that ran, requests to other origins, dialogues, console messages. */
export class Watch {
  readonly harm: string[] = [];
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async over(page: Page, baseUrl: string): Promise<Watch> {
    const watch = new Watch(page);
    const { harm } = watch;
    await page.addInitScript(`window.intrudersIn = ${intrudersIn}`);
    await page.exposeFunction("ran", (mark: string) => harm.push(`ran: ${mark}`));
    page.on("dialog", (dialog) => {
      harm.push(`dialogue: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(`${baseUrl}/`)) harm.push(`elsewhere: ${request.url()}`);
    });
    page.on("console", (message) => harm.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => harm.push(`error: ${error.message}`));
    return watch;
  }

  /** Findings on the current page. The check is injected when the page loads, because its policy forbids evaluating strings. */
  intruders(): Promise<string[]> {
    return this.#page.evaluate(() => (window as unknown as Checking).intrudersIn(document));
  }

  /** The same for pages that are only fetched and parsed by the browser; each finding begins with its path. */
  intrudersAt(paths: readonly string[]): Promise<string[]> {
    return this.#page.evaluate(async (all) => {
      const { intrudersIn } = window as unknown as Checking;
      const found: string[] = [];
      const waiting = all.values();
      const worker = async () => {
        for (const path of waiting) {
          const html = await (await fetch(path)).text();
          const parsed = new DOMParser().parseFromString(html, "text/html");
          found.push(...intrudersIn(parsed).map((each) => `${path} ${each}`));
        }
      };
      await Promise.all([worker(), worker(), worker(), worker()]);
      return found;
    }, paths);
  }

  /** The labels of invisible characters in each post's text, by the post's ID. */
  async unseenSigns(): Promise<Map<string, string[]>> {
    const signs = await this.#page.evaluate(() =>
      [...document.querySelectorAll("[id^=pst_]")].map((post): [string, string[]] => [
        post.id,
        [...post.querySelectorAll(".post-text .unseen")].map((sign) => sign.getAttribute("aria-label") ?? ""),
      ]),
    );
    return new Map(signs);
  }

  /** Opens a page, which must be harmless, and returns the text of its content. */
  async look(path: string): Promise<string> {
    const response = await this.#page.goto(path);
    expect(response?.status(), path).toBe(200);
    return this.read(path);
  }

  /** Checks the page as it is now and returns its text; `about` names it in failures. */
  async read(about: string): Promise<string> {
    expect(await this.intruders(), about).toEqual([]);
    expect(this.harm, about).toEqual([]);
    return (await this.#page.getByRole("main").textContent()) ?? "";
  }

  /** Reads a list page by page and returns the text of all of them; `onPage` runs on each. */
  async walk(path: string, onPage: () => Promise<void> = async () => undefined): Promise<string> {
    let all = "";
    for (let at: string | null = path; at !== null; ) {
      all += await this.look(at);
      await onPage();
      at = await this.#page.evaluate(() => {
        const next = document.querySelector('main a[rel="next"]');
        return next ? next.getAttribute("href") : null;
      });
    }
    return all;
  }
}
