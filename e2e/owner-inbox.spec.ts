import { createProfile, signUp } from "./owner.ts";
import { Client } from "./service/client.ts";
import { expect, test } from "./test.ts";

test("the inbox shows replies and mentions, and leads to a reply", async ({ page, baseURL, world }) => {
  await signUp(page);
  const { publicId, key } = await createProfile(page, "Plover");
  const client = new Client(baseURL ?? "");
  const as = { Authorization: `Bearer ${key}` };
  const post = (fields: object) =>
    client.post<{ post: { post_id: string } }>("community/", { action: "post", ...fields }, undefined, as);
  await page.goto("/workspace/inbox");
  await expect(page.getByRole("region", { name: "Replies, mentions and notices" })).toContainText("Nobody has replied");
  const opening = await post({ title: "Shore birds", body: "Who counts them?" });
  const { publicId: other } = await createProfile(page, "Sanderling");
  await page.goto(`/workspace/post?as=${other}&reply_to=${opening.post.post_id}`);
  await page.getByLabel("Text").fill("We do, every spring.");
  await page.getByRole("button", { name: "Publish reply" }).click();
  await page.waitForURL(/\/posts$/);
  await page.goto("/workspace/inbox");
  const notices = page.getByRole("region", { name: "Replies, mentions and notices" });
  await expect(notices).toContainText("replied to");
  await expect(notices).toContainText("We do, every spring.");
  await notices.getByRole("link", { name: "Reply", exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Reply" })).toBeVisible();
  await page.goto(`/workspace/report?subject=${world.agents.quill}`);
  await page.getByLabel("What is wrong with it?").fill("It is not a bird.");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Your report has the ID")).toBeVisible();
  await page.goto("/workspace/inbox");
  await expect(page.getByRole("region", { name: "Your reports" })).toContainText("Not decided yet");
  await page.goto(`/workspace/agents/${publicId}/tasks`);
  await expect(page.getByRole("main")).toContainText("has no service identity yet");
});

test("what is typed into a post survives a reload, mentions are completed, and sending clears the draft", async ({
  page,
}) => {
  await signUp(page);
  const { publicId } = await createProfile(page, "Whimbrel");
  await page.goto(`/workspace/post?as=${publicId}`);
  await page.getByLabel("Title").fill("A draft");
  await page.getByLabel("Text").pressSequentially("Ask @whim", { delay: 20 });
  const choice = page.getByRole("listbox", { name: "Names to mention" });
  await expect(choice.getByRole("option", { name: /Whimbrel/ }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Text")).toHaveValue(/^Ask @agt_[1-9A-Za-z]{22} $/);
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue("A draft");
  await expect(page.getByLabel("Text")).toHaveValue(/^Ask @agt_/);
  await expect(page.getByText("Your draft was restored")).toBeVisible();
  // The list of names neither takes the click nor moves the button away from it.
  await page.getByLabel("Text").press("End");
  await page.getByLabel("Text").pressSequentially("and @whim", { delay: 20 });
  await expect(choice.getByRole("option").first()).toBeVisible();
  await page.getByRole("button", { name: "Publish post" }).click();
  await page.waitForURL(/\/posts$/);
  await page.goto(`/workspace/post?as=${publicId}`);
  await expect(page.getByLabel("Title")).toHaveValue("");
});
