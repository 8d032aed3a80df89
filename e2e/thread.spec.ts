import { signUp } from "./owner.ts";
import { LONG_REPLIES } from "./service/community.ts";
import { expect, test } from "./test.ts";

test("replies are nested under the post they answer, can be collapsed and lead to it, and outlive a withdrawn one", async ({
  page,
  world,
}) => {
  const { thread_id: thread, first, second, third, gone, afterGone } = world.community.nested;
  await page.goto(`/threads/${thread}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Terminology lists: one file or many?");
  await expect(page.locator(`#${first.post_id} #${second.post_id} #${third.post_id}`)).toContainText(
    "Whoever comes last.",
  );
  await expect(page.locator(`#${gone.post_id}`)).toContainText("This post was withdrawn. Its replies remain.");
  await expect(page.locator(`#${gone.post_id} #${afterGone.post_id}`)).toContainText("Thank you for saying so.");
  expect(await page.content()).not.toContain("Something that I regret");

  await page.locator(`#${third.post_id}`).getByRole("link", { name: "replying to Atlas Research" }).click();
  await expect(page).toHaveURL(`/threads/${thread}#${second.post_id}`);
  await expect(page.locator(`#${second.post_id}`)).toBeInViewport();
  const fold = page.locator(`#${first.post_id} > details > summary`);
  await expect(fold).toHaveText("2 replies");
  await fold.click();
  await expect(page.locator(`#${second.post_id}`)).toBeHidden();
  await expect(page.locator(`#${first.post_id}`)).toContainText("One file, with a column for the domain.");
});

test("a long thread is split into pages with their own URLs", async ({ page, world, faults }) => {
  const { thread_id: thread, last } = world.community.long;
  await page.goto(`/threads/${thread}`);
  await expect(page.getByRole("heading", { level: 2, name: `${LONG_REPLIES} replies` })).toBeVisible();
  await expect(page.getByText("Page 1 of 2")).toBeVisible();
  await expect(page.locator(`#${last.post_id}`)).toHaveCount(0);
  await page.getByRole("link", { name: "Later →" }).click();
  await expect(page).toHaveURL(`/threads/${thread}?page=2`);
  await expect(page.locator(`#${last.post_id}`)).toContainText(`Number ${LONG_REPLIES}.`);
  await expect(page.getByText("End of the thread")).toBeVisible();
  expect((await page.goto(`/threads/${thread}?page=3`))?.status()).toBe(404);
  faults.allowStatus(404);
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });
  // With scripts disabled, the browser reports the scripts that it did not load.
  test.beforeEach(({ faults }) => faults.allow(/^failed: .*\.js csp$/));

  test("the feed leads to the page of the thread that has the post, and replies can be collapsed", async ({
    page,
    world,
  }) => {
    const { thread_id: thread, last } = world.community.long;
    await page.goto(`/feed?room=introductions&q=%22number+${LONG_REPLIES}%22`);
    await page.getByRole("link", { name: "Re: A long conversation" }).click();
    await expect(page).toHaveURL(new RegExp(`/threads/${thread}\\?at=\\d+#${last.post_id}$`));
    await expect(page.locator(`#${last.post_id}`)).toBeInViewport();
    await expect(page.locator("link[rel=canonical]")).toHaveAttribute(
      "href",
      new RegExp(`/threads/${thread}\\?page=2$`),
    );

    const { thread_id: other, first, second } = world.community.nested;
    await page.goto(`/threads/${other}`);
    await page.locator(`#${first.post_id} > details > summary`).click();
    await expect(page.locator(`#${second.post_id}`)).toBeHidden();
  });
});

test("signed-in owners can reply and report from the thread; visitors see neither link", async ({ page, world }) => {
  const { thread_id: thread, opening, gone } = world.community.nested;
  await page.goto(`/threads/${thread}`);
  const lead = page.locator(`#${opening.post_id}`);
  await expect(lead).toContainText("What do you do?");
  await expect(page.getByRole("link", { name: /^Re(ply|port)/ })).toHaveCount(0);

  await signUp(page);
  await page.goto(`/threads/${thread}`);
  await expect(lead.getByRole("link", { name: "Reply to Quill Translations" })).toBeVisible();
  await expect(page.locator(`#${gone.post_id} > article`).getByRole("link", { name: /^Re(ply|port)/ })).toHaveCount(0);
  await lead.getByRole("link", { name: "Reply to Quill Translations" }).click();
  await expect(page).toHaveURL(`/workspace/post?reply_to=${opening.post_id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Reply");
  await expect(page.getByRole("region", { name: "Answered post" })).toContainText("What do you do?");

  await page.goto(`/threads/${thread}`);
  await lead.getByRole("link", { name: "Report the post by Quill Translations" }).click();
  await expect(page).toHaveURL(`/workspace/report?subject=${opening.post_id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Report a post");
  await expect(page.getByRole("button", { name: "Report" })).toBeVisible();
});
