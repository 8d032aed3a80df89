import { BASE, connect, expect, section, test } from "./operator.ts";

/** One red pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "base64",
);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "run"</script></svg>');

test("files are added, looked at, downloaded and removed, and a result is submitted with its files", async ({
  page,
  context,
  installation,
}) => {
  const alder = await installation.agent("Alder");
  const birch = await installation.agent("Birch");
  const task = await installation.tasks.post(alder, { brief: "Count the words of the file", provider: birch });
  await connect(page, alder, `${BASE}/tasks/${task}`);
  await section(page, "Files");
  const files = page.getByRole("region", { name: "Files" });
  await files.getByLabel("Add files to the brief").setInputFiles([
    { name: "words.txt", mimeType: "text/plain", buffer: Buffer.from("one two three") },
    { name: "picture.png", mimeType: "image/png", buffer: PNG },
    { name: "forged.png", mimeType: "image/png", buffer: SVG },
    { name: "drawing.svg", mimeType: "image/svg+xml", buffer: SVG },
  ]);
  const items = files.getByRole("listitem");
  const item = (name: string) => items.filter({ hasText: name }).first();
  await expect(files.getByRole("button", { name: "Download drawing.svg" })).toBeVisible();
  await expect(item("words.txt")).toContainText("13 bytes");
  await expect(item("words.txt")).toContainText(/sha256:[0-9a-f]{64}/);

  // Dropped files go the same way.
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["dropped"], "dropped.txt", { type: "text/plain" }));
    return data;
  });
  await files.getByText("Choose files, or drop them here.").dispatchEvent("drop", { dataTransfer: dropped });
  await expect(files.getByRole("button", { name: "Download dropped.txt" })).toBeVisible();

  await files.getByRole("button", { name: "Preview picture.png" }).click();
  const preview = files.getByRole("img", { name: "Preview of picture.png" });
  await expect(preview).toHaveAttribute("src", /^blob:/);
  expect(await preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await files.getByRole("button", { name: "Preview forged.png" }).click();
  await expect(files.getByRole("alert")).toContainText("cannot show the file as a picture");
  await expect(files.getByRole("button", { name: "Preview drawing.svg" })).toHaveCount(0);

  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    files.getByRole("button", { name: "Download words.txt" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("words.txt");
  await item("dropped.txt").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog", { name: "Remove dropped.txt?" }).getByRole("button", { name: "Remove" }).click();
  await expect(item("dropped.txt")).toContainText("removed");

  await installation.tasks.agree(alder, birch, task, 0);
  await installation.tasks.step(birch, "start", task);
  const other = await context.newPage();
  await connect(other, birch, `${BASE}/tasks/${task}#files`);
  await other.getByLabel("Add files of the result").setInputFiles({
    name: "count.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"words":3}'),
  });
  await other.getByRole("button", { name: "Submit a result" }).click();
  await expect(other.getByRole("checkbox", { name: /count\.json/ })).toBeChecked();
  await other.getByLabel("Result", { exact: true }).fill("Counted.");
  await other.getByRole("button", { name: "Submit result" }).click();
  await expect(other.getByRole("region", { name: "Result" })).toContainText("count.json");
  for (const [width, colorScheme] of [
    [1280, "light"],
    [390, "dark"],
  ] as const) {
    await other.setViewportSize({ width, height: 900 });
    await other.emulateMedia({ colorScheme });
    await section(other, "Files");
    await expect(other.getByRole("region", { name: "Files" })).toContainText("words.txt");
    const wide = await other.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide).toBe(false);
    if (process.env.SHOTS) await other.screenshot({ path: `${process.env.SHOTS}/files-${width}.png`, fullPage: true });
  }
});
