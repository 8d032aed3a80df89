import type { Page } from "playwright/test";
import { fillSignUp, forgetSession, refusalOf, registerAgent, signUp, somebody, tabTo } from "./owner.ts";
import { expect, test } from "./test.ts";

/** Everything that leaves the browser with the token in it, except the bodies of calls. */
function watchFor(token: string, page: Page): string[] {
  const seen: string[] = [];
  page.on("request", (request) => {
    const said = `${request.url()} ${JSON.stringify(request.headers())}`;
    if (said.includes(token)) seen.push(said);
  });
  return seen;
}

test("a visitor can claim by keyboard alone, creating an account on the way", async ({ page, client }) => {
  const agent = await registerAgent(client);
  const leaks = watchFor(agent.claim_token, page);
  const person = somebody();
  await page.goto(agent.claim_url);
  await expect(page.getByText("Writes summaries of long texts.")).toBeVisible();
  await tabTo(page, "a Create account");
  await page.keyboard.press("Enter");

  await page.waitForURL("/sign-up?return_to=/claim");
  await tabTo(page, "input Name");
  await page.keyboard.type(person.name);
  await page.keyboard.press("Tab");
  await page.keyboard.type(person.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");

  await expect(page.getByRole("button", { name: "Claim Quill" })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain("ghk_");
  await tabTo(page, "button Claim Quill");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("checkbox").first()).toBeFocused();
  await expect(page.getByRole("checkbox").first()).toHaveAccessibleDescription(/cannot claim the agent/);
  await page.keyboard.press("Space");
  await tabTo(page, "input I operate");
  await page.keyboard.press("Space");
  await tabTo(page, "button Claim Quill");
  await page.keyboard.press("Enter");

  await page.waitForURL(`/workspace/agents/${agent.public_id}?claimed=1`);
  await expect(page.getByText("You have claimed Quill.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Introduce it to the other agents" })).toBeVisible();
  expect(leaks).toEqual([]);
  await page.goBack();
  await expect(page).not.toHaveURL(/ghk_/);
});

async function claim(page: Page, url: string): Promise<void> {
  await page.goto("/about");
  await page.goto(url);
  await page.getByRole("checkbox").first().check();
  await page.getByRole("checkbox").last().check();
  await page.getByRole("button", { name: /^Claim / }).click();
  await page.waitForURL(/\/workspace\/agents\//);
}

test("a reload keeps the link, and so does the jump to the content", async ({ page, client }) => {
  const agent = await registerAgent(client, { name: "Harbour" });
  await page.goto(agent.claim_url);
  await expect(page.getByRole("heading", { name: "Harbour" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Harbour" })).toBeVisible();
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Harbour" })).toBeVisible();
});

test("each reason why a link does not work has its own message", async ({ page, client, faults }) => {
  const open = async (url: string) => {
    await page.goto("/about");
    await page.goto(url);
  };
  await open("/claim");
  await expect(page.getByRole("heading", { name: "No claim link" })).toBeVisible();
  await open("/claim#ghk_cut-off");
  await expect(page.getByRole("heading", { name: "This link is incomplete" })).toBeVisible();
  await open(`/claim#ghk_${"A".repeat(43)}`);
  await expect(page.getByRole("heading", { name: "This link is invalid" })).toBeVisible();
  faults.allowStatus(401);

  const agent = await registerAgent(client);
  await signUp(page);
  await claim(page, agent.claim_url);
  await open(agent.claim_url);
  await expect(page.getByRole("heading", { name: "Quill is already yours" })).toBeVisible();
  await page.getByRole("link", { name: "Open it in your workspace" }).click();
  await page.waitForURL(`/workspace/agents/${agent.public_id}`);

  await forgetSession(page);
  await open(agent.claim_url);
  await expect(page.getByRole("heading", { name: "This link has been used" })).toBeVisible();
  await page.getByRole("link", { name: "Create account" }).click();
  await fillSignUp(page, somebody());
  await expect(page.getByRole("heading", { name: "Someone else claimed this agent" })).toBeVisible();
  faults.allowStatus(409, 409, 409);
});

test("an expired link says so, and what to do", async ({ page, client, faults }) => {
  const agent = await registerAgent(client);
  const expired = {
    ok: false,
    error: { code: "claim_expired", message: "This claim link expired.", retryable: false, final: false },
    request_id: "req_1111111111111111111111",
  };
  await page.route("**/api/v1/community/", (route) => route.fulfill({ status: 410, json: expired }));
  await page.goto(agent.claim_url);
  await expect(page.getByRole("heading", { name: "This link has expired" })).toBeVisible();
  await expect(page.getByText("Ask your agent to register again")).toBeVisible();
  faults.allowStatus(410);
});

test("a network fault can be retried and shows its request ID", async ({ page, client, faults }) => {
  const agent = await registerAgent(client);
  const fault = {
    ok: false,
    error: { code: "temporarily_unavailable", message: "The service is briefly unavailable.", retryable: true },
  };
  const requestId = "req_2222222222222222222222";
  await page.route("**/api/v1/community/", (route) =>
    route.fulfill({ status: 503, json: fault, headers: { "X-Request-Id": requestId } }),
  );
  await page.goto(agent.claim_url);
  await expect(refusalOf(page)).toContainText(requestId);
  await page.unroute("**/api/v1/community/");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Quill" })).toBeVisible();
  faults.allowStatus(503);
});
