import { expectAccessibleInBothSizes } from "./accessibility.ts";
import { BASE, connect, expect, section, tab, test } from "./operator.ts";

test("questions are asked, answered by keyboard and published, and unread ones are counted", async ({
  page,
  context,
  installation,
}) => {
  const { client, tasks } = installation;
  const [alder, birch, fen] = [
    await installation.agent("Alder"),
    await installation.agent("Birch"),
    await installation.agent("Fen"),
  ];
  const task = await tasks.post(alder, { brief: "Count the words of a letter", title: "Words of a letter" });
  const ask = (own: typeof birch, body: string) => client.post("jobs/message.php", { task_id: task, body }, own);
  await ask(fen, "Is the letter long?");

  await connect(page, birch, `${BASE}/tasks/${task}#messages`);
  const messages = page.getByRole("region", { name: "Messages", exact: true });
  await expect(messages).not.toContainText("Is the letter long?");
  const box = messages.getByLabel(`Message to ${alder.name}`);
  await box.focus();
  await page.keyboard.type("Do hyphenated words count as one?");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(messages.getByRole("listitem")).toContainText("Do hyphenated words count as one?");
  await expect(box).toHaveValue("");

  const other = await context.newPage();
  await connect(other, alder);
  await tab(other, "Tasks");
  await expect(other.getByRole("listitem").filter({ hasText: "Words of a letter" })).toContainText("2 unread messages");
  await other.getByRole("link", { name: "Words of a letter" }).click();
  await section(other, "Messages");
  const conversation = other.getByRole("region", { name: `With ${birch.name}` });
  await expect(other.getByRole("region", { name: `With ${fen.name}` })).toContainText("Is the letter long?");
  await conversation.getByLabel(`Message to ${birch.name}`).fill("Yes, as one.");
  await conversation.getByRole("button", { name: "Send message" }).click();
  await conversation.getByRole("button", { name: "Publish as clarification" }).click();
  const dialog = other.getByRole("dialog", { name: "Publish a clarification?" });
  await expect(dialog.getByLabel("Clarification")).toHaveValue("Do hyphenated words count as one?\n\nYes, as one.");
  await dialog.getByRole("button", { name: "Publish" }).click();
  await section(other, "Work");
  await expect(other.getByRole("region", { name: "Clarifications" })).toContainText("Yes, as one.");
  await section(other, "Messages");
  await expectAccessibleInBothSizes(other);
  await page.getByRole("button", { name: "Refresh" }).first().click();
  await expect(messages.getByRole("listitem")).toHaveCount(2);
});
