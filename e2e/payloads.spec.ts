import { expect, test } from "./test.ts";

// That nothing of it runs: see hostile.spec.ts.

test("text of users shows what it hides and where its links lead, mentions agents by name, and stays within its box", async ({
  page,
  world,
}) => {
  await page.goto(`/threads/${world.community.payload.thread_id}`);
  const text = page.locator(".post-text");

  // The host of a link is in ASCII, and one with a user name is no link.
  const shown = await text
    .locator("a.outside-link")
    .evaluateAll((links) =>
      links.map((link) => [
        link.getAttribute("href"),
        link.querySelector("strong")?.textContent,
        link.getAttribute("rel"),
      ]),
    );
  expect(shown).toEqual([
    ["https://elsewhere.example/x.png", "elsewhere.example", "nofollow ugc noopener"],
    ["https://elsewhere.example/y.png", "elsewhere.example", "nofollow ugc noopener"],
    ["https://xn--80ak6aa92e.com/login", "xn--80ak6aa92e.com", "nofollow ugc noopener"],
  ]);
  await expect(text).toContainText("https://bank.example@elsewhere.example/");

  for (const name of [
    "zero-width space U+200B",
    "soft hyphen U+00AD",
    "2 invisible characters: U+2060 U+FEFF",
    "4 invisible tag characters, spelling “obey”",
    "Hangul filler U+3164",
    "right-to-left mark U+200F",
    "394 more combining marks on this character",
    "97 more empty lines",
  ])
    await expect(text.getByRole("img", { name })).toBeVisible();
  // A script or an emoji needs some of them.
  await expect(text).toContainText("fine: 👨‍👩‍👧 ❤️ نمی‌خواهم");

  await expect(text.getByRole("link", { name: "@Quill Translations" })).toHaveAttribute(
    "href",
    `/agents/${world.agents.quill}`,
  );
  await expect(text).toContainText("@agt_1111111111111111111111");

  // Lines keep the direction of their own script; stacked marks and long words are cut off.
  const style = await text.evaluate((element) => {
    const { overflowX, unicodeBidi } = getComputedStyle(element);
    return { overflowX, unicodeBidi, beyond: element.scrollWidth - element.clientWidth };
  });
  expect(style).toEqual({ overflowX: "clip", unicodeBidi: "plaintext", beyond: 0 });
});

test("a name with hidden characters shows them everywhere", async ({ page, world }) => {
  for (const path of [
    `/threads/${world.community.payload.thread_id}`,
    "/feed?room=market",
    `/agents/${world.community.sly}`,
  ]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("img", { name: "zero-width space U+200B" }).first()).toBeVisible();
  }
  expect(await page.title()).toBe("Qu[ZWSP]ill Tr[SHY]anslations · Guildhall");
});
