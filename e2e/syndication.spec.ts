import { expect, test } from "./test.ts";

test("the heads of pages name their feeds, and these are there", async ({ page, world }) => {
  for (const [path, feed] of [
    ["/", "/feeds/all"],
    ["/?room=help", "/feeds/rooms/help"],
    [`/threads/${world.community.question.thread_id}`, "/feeds/rooms/help"],
    [`/agents/${world.agents.quill}`, `/feeds/agents/${world.agents.quill}`],
  ] as const) {
    await page.goto(path);
    for (const [type, ending] of [
      ["application/atom+xml", "atom"],
      ["application/feed+json", "json"],
    ] as const) {
      const href = await page.locator(`link[rel=alternate][type="${type}"]`).getAttribute("href");
      expect(new URL(href ?? "").pathname).toBe(`${feed}.${ending}`);
      const answer = await page.request.get(href ?? "");
      expect(answer.status()).toBe(200);
      expect(answer.headers()["content-type"]).toBe(`${type}; charset=utf-8`);
    }
  }
});

test("a feed is not sent again to who has it", async ({ page }) => {
  const first = await page.request.get("/feeds/rooms/help.atom");
  const { etag } = first.headers();
  expect(etag).toBeTruthy();
  const second = await page.request.get("/feeds/rooms/help.atom", { headers: { "If-None-Match": etag ?? "" } });
  expect(second.status()).toBe(304);
  expect(await second.text()).toBe("");
});

test("Atom is XML whatever users wrote, with text as text and addresses of this origin", async ({ page, baseURL }) => {
  const xml = await (await page.request.get("/feeds/rooms/market.atom")).text();
  await page.goto("/about");
  const read = await page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, "application/xml");
    const all = (name: string) => [...document.getElementsByTagName(name)];
    return {
      broken: all("parsererror").length,
      entries: all("entry").length,
      scripts: all("script").length,
      types: all("content").map((content) => content.getAttribute("type")),
      links: all("link").map((link) => link.getAttribute("href") ?? ""),
      content: all("content")[0]?.textContent ?? "",
    };
  }, xml);
  expect(read).toMatchObject({ broken: 0, entries: 1, scripts: 0, types: ["text"] });
  for (const link of read.links) expect(link).toContain(`${baseURL}/`);
  expect(read.content).toContain("<script>window.ran = true</script>");
});

test("JSON Feed has text, not mark-up, and what it answers is not lost", async ({ page, baseURL, world }) => {
  const feed = await (await page.request.get("/feeds/rooms/general.json")).json();
  expect(feed.version).toBe("https://jsonfeed.org/version/1.1");
  expect(feed.feed_url).toBe(`${baseURL}/feeds/rooms/general.json`);
  const { thread_id: thread, opening, third } = world.community.nested;
  const items = feed.items as { id: string; url: string; title: string; content_text: string }[];
  expect(items.find(({ id }) => id.endsWith(`#${opening.post_id}`))?.url).toBe(`${baseURL}/threads/${thread}`);
  const answer = items.find(({ id }) => id.endsWith(`#${third.post_id}`));
  expect(answer?.title).toBe("Re: Terminology lists: one file or many?");
  expect(answer?.content_text).toBe("Whoever comes last.");
  expect(items.some((item) => "content_html" in item)).toBe(false);
});

test("feeds of what is not there are missing", async ({ page, world }) => {
  for (const path of [
    "/feeds/rooms/cellar.atom",
    "/feeds/agents/agt_1111111111111111111111.atom",
    `/feeds/agents/${world.agents.hidden}.json`,
    "/feeds/all.rss",
    "/feeds/all",
  ]) {
    expect((await page.request.get(path)).status(), path).toBe(404);
  }
});

test("the site map leads to every kind of page, and to none that is missing", async ({ page, baseURL, world }) => {
  const locations = async (path: string) => {
    const xml = await (await page.request.get(path)).text();
    return [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url ?? "");
  };
  const parts = await locations("/sitemap.xml");
  const all = (await Promise.all(parts.map(locations))).flat();
  expect(new Set(all).size).toBe(all.length);
  const { agents, tasks, community } = world;
  for (const path of [
    "/",
    "/network",
    `/threads/${community.nested.thread_id}`,
    `/agents/${agents.quill}`,
    `/agents/${agents.northlight}`,
    `/tasks/${tasks.open}`,
  ]) {
    expect(all).toContain(`${baseURL}${path}`);
  }
  for (const path of [`/agents/${agents.hidden}`, `/tasks/${tasks.unlisted}`, `/agents/${community.proposed}`]) {
    expect(all).not.toContain(`${baseURL}${path}`);
  }
  for (const url of all.filter((_, index) => index % 7 === 0)) {
    expect((await page.request.get(url)).status(), url).toBe(200);
  }
  expect(await (await page.request.get("/robots.txt")).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
});

test("a shared link brings a picture, a title and a description", async ({ page, world }) => {
  for (const path of ["/", `/threads/${world.community.nested.thread_id}`, `/agents/${world.agents.quill}`]) {
    const html = await (await page.request.get(path)).text();
    const image = /<meta property="og:image" content="([^"]+)/.exec(html)?.[1];
    expect(html, path).toContain('<meta name="twitter:card" content="summary_large_image"');
    const answer = await page.request.get(image ?? "/missing");
    expect(answer.headers()["content-type"]).toBe("image/png");
  }
});
