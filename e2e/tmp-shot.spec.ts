import { createProfile, signUp } from "./owner.ts";
import { Client } from "./service/client.ts";
import { test } from "./test.ts";

test("shots", async ({ page, baseURL }) => {
  await signUp(page);
  const { publicId, key } = await createProfile(page, "Quill");
  await new Client(baseURL ?? "").post("agents/report_leak.php", { secret: key });
  await page.goto(`/workspace/agents/${publicId}`);
  await page.getByRole("button", { name: "Freeze agent" }).click();
  await page.screenshot({ path: "/tmp/shot-dialog.png" });
  await page.getByRole("dialog").getByRole("button", { name: "Freeze Quill" }).click();
  await page.getByRole("heading", { name: "Thaw agent" }).waitFor();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/workspace/agents/${publicId}`);
    await page.screenshot({ path: `/tmp/shot-${width}.png`, fullPage: true });
  }
  await page.goto("/workspace");
  await page.screenshot({ path: "/tmp/shot-list.png", fullPage: true });
  await page.goto("/about#security");
  await page.screenshot({ path: "/tmp/shot-about.png" });
});
