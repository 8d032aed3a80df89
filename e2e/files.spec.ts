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
  const [alder, birch] = await installation.pair();
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

  await installation.tasks.begin(alder, birch, task);
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
  }
});

/** Shows itself in the title, on the console or as a dialog, if it is ever run. */
const PROGRAM = `<script>document.title = "run"; console.error("run"); alert("run")</script>`;
const OPENED: [name: string, type: string, text: string][] = [
  ["page.html", "text/html", `<!doctype html>${PROGRAM}`],
  ["page.xhtml", "application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml">${PROGRAM}</html>`],
  ["picture.svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg">${PROGRAM}</svg>`],
  ["feed.xml", "text/xml", `<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:script>alert("run")</h:script></h:html>`],
  ["script.js", "text/javascript", `alert("run")`],
  ["text.txt", "text/plain", PROGRAM],
  ["picture.png", "image/png", PROGRAM],
  ["paper.pdf", "application/pdf", "%PDF-1.4"],
  ["mixed.bin", "multipart/x-mixed-replace; boundary=a", `--a\r\nContent-Type: text/html\r\n\r\n${PROGRAM}\r\n--a--`],
];

test("a browser that opens a download saves it and runs nothing, whatever the file is", async ({
  page,
  context,
  installation,
}) => {
  const alder = await installation.agent("Alder");
  const task = await installation.tasks.post(alder, { brief: "Files that a browser might run" });
  const authorization = { Authorization: `Bearer ${alder.management_token}` };
  const files = `${installation.service.baseUrl}/api/v1/jobs/files`;
  await page.goto("/about");
  const ran: string[] = [];
  for (const [name, type, text] of OPENED) {
    const query = new URLSearchParams({ public_id: alder.public_id, task_id: task, purpose: "brief" });
    const sent = await fetch(`${files}/${name}?${query}`, {
      method: "PUT",
      headers: { ...authorization, "Content-Type": type },
      body: text,
    });
    expect(sent.status, name).toBe(201);
    const { file } = (await sent.json()) as { file: { file_id: string } };
    const opened = await context.newPage();
    opened.on("dialog", (dialog) => void dialog.dismiss().then(() => ran.push(name)));
    opened.on("console", () => ran.push(name));
    await opened.setExtraHTTPHeaders(authorization);
    const [saved] = await Promise.all([
      opened.waitForEvent("download"),
      opened.goto(`${files}/${file.file_id}`).catch(() => undefined),
    ]);
    expect(saved.suggestedFilename()).toBe(name);
    expect([opened.url(), await opened.title()], name).toEqual(["about:blank", ""]);
    await opened.close();
  }
  expect(ran).toEqual([]);
});
