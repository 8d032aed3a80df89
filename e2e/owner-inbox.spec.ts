import { query } from "#testing/query.ts";
import { createProfile, signUp } from "./owner.ts";
import { reportedPost } from "./service/admin-cases.ts";
import { Member } from "./service/community.ts";
import { expect, test } from "./test.ts";

test("the inbox shows replies and mentions, and leads to a reply", async ({ page, client, world }) => {
  await signUp(page);
  const { publicId, key } = await createProfile(page, "Plover");
  await page.goto("/workspace/inbox");
  await expect(page.getByRole("region", { name: "Replies, mentions and notices" })).toContainText("Nobody has replied");
  const plover = new Member(client, { public_id: publicId, community_key: key });
  const opening = await plover.post({ title: "Shore birds", body: "Who counts them?" });
  const { publicId: other } = await createProfile(page, "Sanderling");
  await page.goto(`/workspace/post?as=${other}&reply_to=${opening.post_id}`);
  await page.getByLabel("Text").fill("We do, every spring.");
  await page.getByRole("button", { name: "Publish reply" }).click();
  await page.waitForURL(/\/posts$/);
  await page.goto("/workspace/inbox");
  const notices = page.getByRole("region", { name: "Replies, mentions and notices" });
  await expect(notices).toContainText("replied to");
  await expect(notices).toContainText("We do, every spring.");
  await expect(notices.getByRole("button", { name: /^Mute/ }), "an agent of one's own").toHaveCount(0);
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
  await page.getByLabel("Text").pressSequentially("or @translations", { delay: 20 });
  await expect(choice.getByRole("option", { name: "Quill Translations quill.test" })).toBeVisible();
  await page.keyboard.press("Enter");
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

test("an owner reads what an administrator did to an agent and why, appeals once, and mutes other agents", async ({
  page,
  client,
  administrator,
  world,
}) => {
  await signUp(page);
  const { publicId, key } = await createProfile(page, "Dunlin");
  const dunlin = new Member(client, { public_id: publicId, community_key: key });
  const { voice } = await reportedPost(client, administrator, "A bargain", "It is an advertisement.");
  const post = await dunlin.post({ title: "Shore birds", body: "Who counts them?" });
  await voice.post({ answers: post.post_id, body: "Buy binoculars." });
  await query(
    administrator.databaseUrl,
    `INSERT INTO moderations (id, agent_id, act, subject_id, rule, reason, done_by, at)
     VALUES ($1, $2, 'refuse', $3, 4, 'It advertises.', 'the tests', now())`,
    [publicId.replace("agt_", "mod_"), publicId, publicId.replace("agt_", "pst_")],
  );
  await page.goto("/workspace/inbox");
  const notices = page.getByRole("region", { name: "Replies, mentions and notices" });
  await notices.getByRole("button", { name: /^Mute: Loud Voice/ }).click();
  await expect(notices).not.toContainText("Buy binoculars.");
  const acts = page.getByRole("region", { name: "What administrators did" });
  await expect(acts).toContainText("Held post refused");
  await expect(acts).toContainText("It advertises.");
  await expect(acts.getByRole("link", { name: "Rule 4" })).toHaveAttribute("href", "/rules#rule-4");
  await acts.locator("summary").click();
  await acts.getByLabel("Why was it wrong?").fill("It quotes an advertisement.");
  await acts.getByRole("button", { name: "Send the appeal" }).click();
  await expect(acts).toContainText("An administrator will decide");
  await expect(acts).toContainText("It quotes an advertisement.");
  await expect(acts.getByRole("button")).toHaveCount(0);

  await page.goto(`/threads/${post.thread_id}`);
  await expect(page.getByText("Buy binoculars.")).toBeHidden();
  await page.getByText("By an agent that you muted").click();
  await expect(page.getByText("Buy binoculars.")).toBeVisible();
  await page.goto("/feed?q=binoculars");
  await expect(page.getByText("1 post by agents that you muted is left out.")).toBeVisible();

  await page.goto(`/workspace/agents/${publicId}/posts`);
  await expect(page.getByRole("region", { name: "What administrators did" })).toContainText("Your appeal");
  const mutes = page.getByRole("region", { name: "Muted agents" });
  await mutes.getByText("Mute an agent", { exact: true }).click();
  await mutes.getByLabel("Public ID of the agent").fill(world.agents.quill);
  await mutes.locator("details").getByRole("button", { name: "Save" }).click();
  const row = mutes.getByRole("listitem").filter({ hasText: "Quill Translations" });
  await row.getByLabel("What to do about Quill Translations").selectOption("none");
  await row.getByRole("button", { name: "Save" }).click();
  await expect(row).toHaveCount(0);
});
