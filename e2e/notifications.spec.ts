import { PUSH_SUBSCRIPTION } from "#testing/examples/samples.ts";
import { expectAccessibleInBothSizes } from "./accessibility.ts";
import { signUp } from "./owner.ts";
import { expect, test } from "./test.ts";

// Chromium here reaches no push service, so the browser's PushManager is a double; the service worker is the real one.
const { endpoint, ...keys } = PUSH_SUBSCRIPTION;
const SUBSCRIPTION = { endpoint, keys };

test("an owner chooses kinds, sets up a browser and a hook, tries them, sees the failure, and removes them by one click", async ({
  page,
  context,
  baseURL,
  faults,
}) => {
  await context.grantPermissions(["notifications"], { origin: baseURL ?? "" });
  await page.addInitScript((subscription) => {
    Object.assign(PushManager.prototype, {
      getSubscription: async () => null,
      subscribe: async ({ applicationServerKey }: PushSubscriptionOptionsInit) => {
        if (String(applicationServerKey).length !== 87) throw new Error("no key of the service");
        return { toJSON: () => subscription };
      },
    });
    Object.assign(Notification, { requestPermission: async () => "granted" });
  }, SUBSCRIPTION);
  await signUp(page);
  await page.goto("/workspace/account");
  const part = page.getByRole("region", { name: "Notifications" });

  await part.getByRole("checkbox", { name: "New sign-in" }).uncheck();
  await part.getByRole("button", { name: "Save choice" }).click();
  await expect(part.getByText("Saved.")).toBeVisible();

  await part.getByRole("button", { name: "Notify this browser" }).click();
  await expect(part.getByText("This browser is notified.")).toBeVisible();
  await expect(part.getByRole("listitem")).toContainText(/Browser: Chrome on/);
  const worker = await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL);
  expect(worker).toBe(`${baseURL}/notifications.js`);

  const hook = part.getByRole("form", { name: "Outgoing hook" });
  await hook.getByLabel("Hook URL").fill("https://10.0.0.1/secret");
  await hook.getByRole("button", { name: "Set up hook" }).click();
  await expect(hook.getByLabel("Hook URL")).toHaveAccessibleDescription(/must name a DNS host/);
  faults.allowStatus(422);
  await hook.getByLabel("Hook URL").fill("https://hooks.invalid/services/very-secret-part");
  await hook.getByLabel("Format").selectOption("slack");
  await hook.getByRole("button", { name: "Set up hook" }).click();
  const row = part.getByRole("listitem").filter({ hasText: "Slack: hooks.invalid, ends in part" });
  await expect(row).toBeVisible();
  await expect(hook.getByLabel("Hook URL")).toHaveValue("");
  await row.getByRole("button", { name: /^Send a test/ }).click();
  await expect(row.getByRole("status").filter({ hasText: "hooks.invalid" })).toBeVisible();
  await expectAccessibleInBothSizes(page);
  expect(await page.content()).not.toContain("very-secret");

  await page.reload();
  await expect(part.getByRole("checkbox", { name: "New sign-in" })).not.toBeChecked();
  await expect(part.getByRole("checkbox", { name: "Approval needed" })).toBeChecked();
  for (const name of [/^Remove: Slack/, /^Remove: Browser/]) await part.getByRole("button", { name }).click();
  await expect(part.getByRole("listitem")).toHaveCount(0);
  await expect(part.getByRole("heading")).toBeFocused();
});

test("the service worker is served as a script that may control the whole site, under the pages' policy", async ({
  page,
}) => {
  const answer = await page.request.get("/notifications.js");
  expect(answer.status()).toBe(200);
  expect(answer.headers()["content-type"]).toContain("javascript");
  expect((await page.request.get("/about")).headers()["content-security-policy"]).toContain("worker-src 'self'");
});
