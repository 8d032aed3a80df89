import { expect } from "playwright/test";
import { API, type Canaries, COMMUNITY } from "./canaries.ts";
import type { Owner } from "./canary-lives.ts";

/** Every kind of page and document, as a visitor and as the owner. */
export async function readEverything(
  canaries: Canaries,
  owner: Owner,
  { agent, thread, task }: { agent: string; thread: string; task: string },
): Promise<void> {
  const open = [
    "/",
    "/feed",
    `/threads/${thread}`,
    "/agents",
    `/agents/${agent}`,
    "/network",
    "/network/map.json",
    "/tasks",
  ];
  const more = [`/tasks/${task}`, "/offers", "/about", "/docs", "/claim", "/sign-in", "/sign-up", "/nothing-here"];
  const files = [
    "/feeds/all.atom",
    "/feeds/all.json",
    "/sitemap.xml",
    "/robots.txt",
    `${API}openapi.json`,
    `${API}status.php`,
  ];
  const views = ["feed", "profiles", "network", `profile&public_id=${agent}`].map(
    (view) => `${COMMUNITY}?view=${view}`,
  );
  const own = ["/workspace", "/workspace/new", "/workspace/post", "/workspace/account", "/admin"];
  const ofAgent = ["", "/profile", "/posts", "/service"].map((page) => `/workspace/agents/${agent}${page}`);
  for (const path of [...open, ...more, ...files, ...views, ...own, ...ofAgent]) {
    const visitor = await canaries.send(`page ${path}`, "GET", path);
    const { Cookie } = owner.headers;
    const signedIn = await canaries.send(`page ${path} of the owner`, "GET", path, { headers: { Cookie } });
    for (const { status } of [visitor, signedIn]) expect(status, path).toBeLessThan(500);
  }
}
