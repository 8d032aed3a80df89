import { createHash } from "node:crypto";
import { each } from "./service/each.ts";
import { expect, pagesOf, test } from "./test.ts";

const scriptSources = (policy = "") => (/script-src ([^;]*)/.exec(policy)?.[1] ?? "").split(" ");
const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/** Every inline script has its hash in the policy; the others are files of ours. */
function expectOwnScripts(policy: string | undefined, html: string, path: string) {
  const sources = scriptSources(policy);
  const scripts = [...html.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)];
  expect.soft(scripts.length, path).toBeGreaterThan(0);
  for (const [, attributes = "", content = ""] of scripts) {
    if (/\ssrc=/.test(attributes)) expect.soft(attributes, path).toContain('src="/_next/static/');
    else expect.soft(sources, path).toContain(hashOf(content));
  }
  for (const source of sources) expect.soft(source, path).toMatch(/^'sha256-[^']+'$|^[\w.:[\]-]+\/_next\/static\/$/);
}

test("every page allows its own scripts by their hashes alone", async ({ page, world }) => {
  await each(pagesOf(world), async ({ path }) => {
    const answer = await page.request.get(path);
    const policy = answer.headers()["content-security-policy"];
    expect.soft(policy, path).toContain("frame-ancestors 'none'");
    expect.soft(policy, path).not.toContain("unsafe-");
    expectOwnScripts(policy, await answer.text(), path);
  });
});

/** What every answer has, whatever it is. */
function expectSecurityHeaders(headers: Record<string, string>, about: string) {
  expect(headers["x-request-id"], about).toMatch(/^req_\w{22}$/);
  expect(headers["x-content-type-options"], about).toBe("nosniff");
  expect(
    Object.keys(headers).filter((name) => /powered|nextjs|^server$/.test(name)),
    about,
  ).toEqual([]);
}

test("every answer has security headers and names no software; pages are private, and forbid framing", async ({
  page,
}) => {
  for (const [path, status, type] of [
    ["/", 200, "text/html"],
    ["/tasks", 200, "text/html"],
    ["/nowhere", 404, "text/html"],
    ["/api/nowhere", 404, "application/json"],
    ["/api/auth", 404, "text/html"],
    ["/icon.svg", 200, "image/svg+xml"],
    ["/favicon.ico", 200, "image/"],
    ["/robots.txt", 200, "text/plain"],
    ["/feeds/all.atom", 200, "application/atom+xml"],
    // There is no security contact.
    ["/.well-known/security.txt", 404, "text/plain; charset=utf-8"],
  ] as const) {
    const answer = await page.request.get(path);
    const headers = answer.headers();
    expect([answer.status(), headers["content-type"]], path).toEqual([status, expect.stringContaining(type)]);
    expectSecurityHeaders(headers, path);
    if (type !== "text/html") continue;
    expect(headers["content-security-policy"], path).toContain("frame-ancestors 'none'");
    expect(headers["x-frame-options"], path).toBe("DENY");
    expect(headers["referrer-policy"], path).toBe("strict-origin-when-cross-origin");
    expect(headers["cache-control"], path).toMatch(/no-store|private/);
    expect(headers["set-cookie"], path).toBeUndefined();
  }
});

test("a redirect has the security headers of a page", async ({ page, baseURL }) => {
  const like = (await page.request.get("/about")).headers();
  for (const [path, status, to] of [
    ["/terms", 308, "/check-terms"],
    ["/?room=help", 308, "/feed?room=help"],
    ["/?agent=agt_x&before=5", 308, "/feed?agent=agt_x&before=5"],
    ["//about", 308, "/about"],
    ["/workspace", 307, "/sign-in?return_to=%2Fworkspace"],
  ] as const)
    for (const Accept of ["text/html", "text/markdown"]) {
      const answer = await page.request.get(`${baseURL}${path}`, { maxRedirects: 0, headers: { Accept } });
      expect([answer.status(), answer.headers().location], path).toEqual([status, to]);
      for (const name of ["x-content-type-options", "x-frame-options", "referrer-policy", "permissions-policy"])
        expect(answer.headers()[name], `${path} ${name}`).toBe(like[name]);
      expect(answer.headers()["content-security-policy"], path).toContain("frame-ancestors 'none'");
    }
});

test("a path that merely starts like a static file is a 404 page with its own policy", async ({ page }) => {
  for (const path of ["/icon.svgx", "/icon.svg/x", "/_next/imagex"]) {
    const sent = { "content-security-policy": "script-src 'nonce-mine'", "x-request-id": "req_mine" };
    const answer = await page.request.get(path, { headers: sent });
    expect(answer.status(), path).toBe(404);
    const policy = answer.headers()["content-security-policy"];
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(await answer.text(), path).not.toContain("nonce-mine");
    expectOwnScripts(policy, await answer.text(), path);
    expect(answer.headers()["x-request-id"]).not.toBe("req_mine");
  }
});

test("files with a hash in their name are cached as immutable", async ({ page }) => {
  const html = await (await page.request.get("/about")).text();
  const file = /"(\/_next\/static\/[^"]+\.css)"/.exec(html)?.[1];
  expect(file).toBeTruthy();
  const headers = (await page.request.get(file ?? "")).headers();
  expect(headers["cache-control"]).toContain("immutable");
});

test("robots.txt lists what crawlers must not visit", async ({ page }) => {
  const answer = await page.request.get("/robots.txt");
  expect(answer.ok()).toBe(true);
  const text = await answer.text();
  expect(text).toContain("Disallow: /workspace");
  expect(text).toContain("Allow: /api/v1/openapi.json");
  expect(text).toMatch(/^Agentmap: http\S+\/\.well-known\/ai-catalog\.json$/m);
});

test("pages lead machines to what they can read, and those that exist as Markdown too vary by Accept", async ({
  page,
}) => {
  for (const path of ["/", "/tasks", "/about"]) {
    const headers = (await page.request.get(path, { headers: { Accept: "text/html" } })).headers();
    for (const rel of ["describedby", "service-desc", "api-catalog", "ai-catalog", "ard"])
      expect(headers.link, path).toContain(`rel="${rel}"`);
    const varying = (headers.vary ?? "").toLowerCase().split(/[,\s]+/);
    expect(varying.includes("accept"), path).toBe(path !== "/about");
  }
  const markdown = await page.request.get("/tasks", { headers: { Accept: "text/markdown" } });
  expect(markdown.headers()["content-type"]).toBe("text/markdown; charset=utf-8");
  expect(await (await page.request.get("/skill.md")).text()).toMatch(/^---\nname: guildhall\n/);
});
