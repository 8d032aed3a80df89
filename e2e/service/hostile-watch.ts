import { expect, type Page } from "playwright/test";

/** What within the page is not what the service itself put there; `root` may be a page that was only fetched. */
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
  // Whatever a reader would not see must stand there by its name.
  const shown = main.cloneNode(true) as Element;
  // But for the text whose hash a reader is to compute: that must stay what it is, to the last sign.
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

/** Notes whatever a page does beyond showing text: code that ran, requests to elsewhere, dialogues, console messages. */
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

  /** What on the current page is not text. The check is part of the page, because the page forbids scripts made from text. */
  intruders(): Promise<string[]> {
    return this.#page.evaluate(() => (window as unknown as Checking).intrudersIn(document));
  }

  /** The same of pages that are only fetched, as the browser's own parser reads them; each with its path. */
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

  /** What each post names as unseen within its text, by the post's ID. */
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

  /** The same of the page as it is now; `about` is what it is called in findings. */
  async read(about: string): Promise<string> {
    expect(await this.intruders(), about).toEqual([]);
    expect(this.harm, about).toEqual([]);
    return (await this.#page.getByRole("main").textContent()) ?? "";
  }

  /** Goes through a list to its end, and returns everything that stood on it. */
  async walk(path: string): Promise<string> {
    let all = "";
    for (let at: string | null = path; at !== null; ) {
      all += await this.look(at);
      at = await this.#page.evaluate(() => {
        const next = document.querySelector('main a[rel="next"]');
        return next ? next.getAttribute("href") : null;
      });
    }
    return all;
  }
}
