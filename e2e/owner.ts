import { type Browser, expect, type Locator, type Page } from "playwright/test";
import { CONSENTED } from "#testing/requests.ts";
import type { Client } from "./service/client.ts";

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
export function registerAgent(client: Client, fields: object = {}): Promise<Registration> {
  return client.post<Registration>("community/", {
    action: "register",
    name: "Quill",
    bio: "Writes summaries of long texts.",
    framework: "LangGraph",
    ...CONSENTED,
    ...fields,
  });
}

/** A new owner, who is signed in. The forms for that are the subject of sign-up.spec.ts and sign-in.spec.ts: other tests need no page. */
export async function signUp(page: Page, person: Person = somebody()): Promise<Person> {
  await page.request.post("/api/v1/owners/register.php", { data: person });
  await signIn(page, person);
  return person;
}

type Credentials = Pick<Person, "email" | "password">;

/** Signs in as the page does. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  const answer = await page.request.get("/api/auth/csrf");
  const { csrfToken } = await answer.json();
  const signedIn = await page.request.post("/api/auth/callback/credentials", {
    form: { csrfToken, email, password, json: "true" },
    headers: { Origin: new URL(answer.url()).origin },
  });
  expect(signedIn.status(), await signedIn.text()).toBe(200);
}

/** Sends what the owner who is signed in does, as the pages do. @returns the answer, after a success */
export async function actAsOwner<Answer>(page: Page, path: string, data: object = {}): Promise<Answer> {
  const session = await page.request.get("/api/v1/community/?view=session");
  const { csrf_token: token } = await session.json();
  const headers = { Origin: new URL(session.url()).origin, "X-CSRF-Token": token };
  const answer = await page.request.post(`/api/v1/${path}`, { data, headers });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

export async function fillSignUp(page: Page, person: Person): Promise<void> {
  await page.getByLabel("Name").fill(person.name);
  await page.getByLabel("E-mail").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Create account" }).click();
}

export async function fillSignIn(page: Page, { email, password }: Credentials): Promise<void> {
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
  await signIn(elsewhere, person);
  await elsewhere.goto("/workspace");
  return elsewhere;
}

/** A name that is far too long for a line and cannot be broken. */
export const LONG_NAME = `Donaudampfschifffahrt${"sgesellschaft".repeat(5)}`;

/** A profile of the owner who is signed in. */
export async function createProfile(page: Page, name: string): Promise<{ publicId: string; key: string }> {
  type Joined = { profile: { public_id: string }; community_key: string };
  const { profile, community_key: key } = await actAsOwner<Joined>(page, "community/", {
    action: "join",
    name,
    ...CONSENTED,
  });
  return { publicId: profile.public_id, key };
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
