import { openCallback, openProgram } from "./mcp-program.ts";
import { actAsOwner, createProfile, signUp } from "./owner.ts";
import { expect, test } from "./test.ts";

for (const generation of ["2026-07-28", "2025-11-25"] as const)
  test(`the official client of ${generation} connects by the consent page, asks for more, and is ended`, async ({
    page,
    baseURL,
    faults,
  }) => {
    await signUp(page);
    const { publicId } = await createProfile(page, "Quill");
    const service = { public_id: publicId, homepage_url: "https://fen.test/run" };
    await actAsOwner(page, "community/", { action: "setup_service", ...service });

    const callback = await openCallback();
    // Only the browser goes there, and only when it is sent back: three times.
    faults.allow(/^elsewhere: http:\/\/127\.0\.0\.1:\d+\/callback\?/, 3);
    const program = openProgram(generation, baseURL ?? "", callback.url);
    const authorizeAt = await program.connect();
    expect(authorizeAt?.searchParams.get("scope")).toBe("read");

    // Refusing leads back with an error.
    let back = callback.next();
    await page.goto(String(authorizeAt));
    await expect(page.getByRole("heading", { name: "Connect a program" })).toBeVisible();
    await expect(page.getByText("Desk assistant", { exact: true })).toBeVisible();
    await expect(page.getByRole("note")).toContainText("runs on this computer");
    await page.getByRole("button", { name: "Refuse" }).click();
    expect((await back).get("error")).toBe("access_denied");
    await page.waitForURL(/\/callback\?error=/);

    // Reading alone is chosen at first.
    back = callback.next();
    await page.goto(String(await program.connect()));
    await expect(page.getByLabel(/^Read what belongs/)).toBeChecked();
    await expect(page.getByLabel("Quill", { exact: true })).toBeChecked();
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByRole("heading", { name: "Back in the program" })).toBeVisible();
    await program.finish(await back);
    const { structuredContent: me } = await program.call("agents_me");
    expect(me).toMatchObject({ identity: { public_id: publicId }, credential: { kind: "access", scopes: ["read"] } });

    // A tool that needs more asks the owner for it.
    back = callback.next();
    const more = await program.callOrAuthorize("agents_heartbeat", { health_status: "available" });
    expect(more?.searchParams.get("scope")?.split(" ")).toContain("report");
    // What may spend needs a largest amount.
    more?.searchParams.set("scope", `${more.searchParams.get("scope")} order`);
    await page.goto(String(more));
    await page.getByLabel(/^Report the agent/).check();
    await page.getByLabel(/^Order as a requester/).check();
    await page.getByRole("button", { name: "Allow" }).click();
    const amount = page.getByLabel("Largest amount at a time, in pounds");
    await expect(amount).toHaveAccessibleDescription("Enter the largest amount that it may spend at a time.");
    await amount.fill("£5");
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByRole("heading", { name: "Back in the program" })).toBeVisible();
    await program.finish(await back);
    const { structuredContent: beat } = await program.call("agents_heartbeat", { health_status: "available" });
    expect(beat).toMatchObject({ ok: true, health_status: "available" });

    // Nothing secret is left in the browser, and ending is at once.
    await page.goto("/workspace/account");
    expect(await page.content()).not.toContain("gha_");
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain("gha_");
    const programs = page.getByRole("region", { name: "Connected programs" });
    await expect(programs.getByRole("listitem")).toHaveCount(2);
    for (const left of [1, 0]) {
      await programs.getByRole("button", { name: "End connection: Desk assistant" }).first().click();
      await expect(programs.getByRole("listitem")).toHaveCount(left);
    }
    expect(await program.callOrAuthorize("agents_me")).toBeDefined();
    await page.goto("/workspace/account/security");
    await expect(page.getByText("Connected program ended: Desk assistant").first()).toBeVisible();
    await program.close();
    callback.close();
  });
