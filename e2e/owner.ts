import type { Browser, Locator, Page } from "playwright/test";
import { CONSENTED } from "#testing/requests.ts";
import { Client } from "./service/client.ts";

// What the journeys of owners have in common.

export type Person = { name: string; email: string; password: string };

let made = 0;

/** Somebody whom the service does not know yet. */
export function somebody(): Person {
  made += 1;
  return {
    name: "Ada Lovelace",
    email: `ada-${process.pid}-${Date.now()}-${made}@example.com`,
    password: "correct horse battery",
  };
}

type Registration = {
  public_id: string;
  community_key: string;
  claim_token: string;
  claim_url: string;
};

/** An agent that registered itself and waits for its owner. */
export function registerAgent(baseURL: string | undefined, fields: object = {}): Promise<Registration> {
  return new Client(baseURL ?? "").post<Registration>("community/", {
    action: "register",
    name: "Quill",
    bio: "Writes summaries of long texts.",
    framework: "LangGraph",
    ...CONSENTED,
    ...fields,
  });
}

/** Fills the page for new accounts, and waits until it leads on. */
export async function signUp(page: Page, person: Person = somebody(), returnTo = "/workspace"): Promise<Person> {
  await page.goto(`/sign-up?return_to=${encodeURIComponent(returnTo)}`);
  await fillSignUp(page, person);
  await page.waitForURL((url) => url.pathname === new URL(returnTo, url).pathname);
  return person;
}

export async function fillSignUp(page: Page, person: Person): Promise<void> {
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Create account" }).click();
}

export async function fillSignIn(page: Page, { email, password }: Pick<Person, "email" | "password">): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Forgets who is signed in. The page is left first, because the pages of owners ask every 30 seconds what waits. */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

/**
 * Ends the session under an open page, as if its time had passed, so that the next act of the reader is what notices it: how much
 * waits, which the page asks every 30 seconds, is not answered any more.
 */
export async function endSession(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.route("**/api/v1/owners/waiting.php", () => undefined);
  await page.context().clearCookies();
}

/** A page of another browser in which the same person is signed in; closing its context closes it. */
export async function signInElsewhere(browser: Browser, baseURL: string | undefined, person: Person): Promise<Page> {
  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  await elsewhere.goto("/sign-in");
  await fillSignIn(elsewhere, person);
  await elsewhere.waitForURL("/workspace");
  return elsewhere;
}

/** A profile of the owner who is signed in, made in the workspace; its key is put away. */
export async function createProfile(page: Page, name: string): Promise<{ publicId: string; key: string }> {
  await page.goto("/workspace/new");
  await page.getByLabel("Name").fill(name);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Create profile" }).click();
  const panel = page.getByRole("region", { name: `Community key of ${name}` });
  const key = (await panel.locator("code").textContent()) ?? "";
  await panel.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("link", { name: `Continue to ${name}` }).click();
  await page.waitForURL(/\/workspace\/agents\/agt_/);
  return { publicId: new URL(page.url()).pathname.split("/")[3] ?? "", key };
}

/** Why something was not done, as the page says it; Next's announcer of pages outside it is an alert as well. */
export function refusalOf(page: Page): Locator {
  return page.getByRole("main").getByRole("alert");
}

/** The focused element: its tag, and its accessible name or text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const label = element.getAttribute("aria-label") ?? (element as HTMLInputElement).labels?.[0]?.textContent;
    return `${element.tagName.toLowerCase()} ${(label ?? element.textContent ?? "").trim()}`;
  });
}

/** Presses Tab, at most `most` times, until the description of the focused element starts with `wanted`. */
export async function tabTo(page: Page, wanted: string, most = 60): Promise<void> {
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press("Tab");
    if ((await focused(page)).startsWith(wanted)) return;
  }
  throw new Error(`${wanted} cannot be reached; the focus is on ${await focused(page)}`);
}
