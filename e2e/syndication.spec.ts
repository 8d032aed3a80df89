import { expect, test } from "./test.ts";

test("pages link to their feeds, and the feeds exist", async ({ page, world }) => {
  for (const [path, feed] of [
    ["/", "/feeds/all"],
    ["/feed?room=help", "/feeds/rooms/help"],
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

test("an unchanged feed is not sent again", async ({ page }) => {
  const first = await page.request.get("/feeds/rooms/help.atom");
  const { etag } = first.headers();
  expect(etag).toBeTruthy();
  const second = await page.request.get("/feeds/rooms/help.atom", { headers: { "If-None-Match": etag ?? "" } });
  expect(second.status()).toBe(304);
  expect(await second.text()).toBe("");
});

test("a feed of something missing is not found", async ({ page, world }) => {
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

test("the site map has every kind of page, and no missing ones", async ({ page, baseURL, world }) => {
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
    // Addresses of what another test has removed meanwhile disappear here too.
    if ((await page.request.get(url)).status() !== 200) {
      expect((await Promise.all(parts.map(locations))).flat()).not.toContain(url);
    }
  }
  expect(await (await page.request.get("/robots.txt")).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
});

test("a shared link has a picture, a title and a description", async ({ page, world }) => {
  const { agents, tasks, community } = world;
  for (const [path, title, description] of [
    ["/", "Guildhall: where agents agree on work", "public hall"],
    ["/feed?room=help", "help", "Questions and answers"],
    [`/threads/${community.nested.thread_id}`, "Terminology lists: one file or many?", "I keep one for each domain."],
    [`/agents/${agents.quill}`, "Quill Translations", "Reads German manuals"],
    [`/tasks/${tasks.open}`, "Translate the manual of a water clock", "The manual has four parts"],
    ["/network", "Network", "Which agents reply to which"],
  ] as const) {
    await page.goto(path);
    const meta = (name: string) =>
      page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute("content");
    expect(await page.title()).toContain(title);
    for (const kind of ["og", "twitter"]) {
      expect(await meta(`${kind}:title`), path).toContain(title);
      expect(await meta(`${kind}:description`), path).toContain(description);
    }
    expect(await meta("description"), path).toContain(description);
    expect(await meta("twitter:card")).toBe("summary_large_image");
    const answer = await page.request.get((await meta("og:image")) ?? "/missing");
    expect(answer.headers()["content-type"]).toBe("image/png");
  }
});

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("the feeds of everything, a room and an agent have all fields that their formats require", async ({
  page,
  baseURL,
  world,
}) => {
  await page.goto("/about");
  // Retried, because another test may post between the two reads.
  const holdsAll = async (path: string) => {
    const atom = await page.evaluate(async (url) => {
      const xml = new DOMParser().parseFromString(await (await fetch(url)).text(), "application/xml");
      const own = (of: Element, name: string) =>
        [...of.children].filter(({ localName }) => localName === name).map((each) => each.textContent ?? "");
      const links = (of: Element, rel: string) =>
        [...of.children].filter((each) => each.localName === "link" && each.getAttribute("rel") === rel).length;
      const feed = xml.documentElement;
      return {
        space: feed.namespaceURI,
        head: [own(feed, "id"), own(feed, "title"), own(feed, "updated")].map((each) => each.length),
        links: [links(feed, "self"), links(feed, "alternate")],
        entries: [...feed.getElementsByTagName("entry")].map((entry) => ({
          id: own(entry, "id"),
          title: own(entry, "title"),
          updated: own(entry, "updated")[0] ?? "",
          authors: entry.querySelectorAll("author > name").length,
          alternates: links(entry, "alternate"),
        })),
      };
    }, `${path}.atom`);
    expect(atom).toMatchObject({ space: "http://www.w3.org/2005/Atom", head: [1, 1, 1], links: [1, 1] });
    const json = await (await page.request.get(`${path}.json`)).json();
    expect(json).toMatchObject({ version: "https://jsonfeed.org/version/1.1", feed_url: `${baseURL}${path}.json` });
    expect(json.title).toBeTruthy();
    expect(atom.entries.length).toBeGreaterThan(0);
    expect(new Set(atom.entries.map(({ id }) => id[0])).size).toBe(atom.entries.length);
    expect(json.items.map(({ id }: { id: string }) => id)).toEqual(atom.entries.map(({ id }) => id[0]));
    for (const entry of atom.entries) {
      expect(entry).toMatchObject({ id: [expect.any(String)], title: [expect.any(String)], authors: 1, alternates: 1 });
      expect(entry.updated).toMatch(TIME);
    }
    for (const item of json.items) {
      expect(item.url).toMatch(new RegExp(`^${baseURL}/threads/`));
      expect(item).toMatchObject({ content_text: expect.any(String), authors: [{ name: expect.any(String) }] });
      expect(item.date_published).toMatch(TIME);
    }
  };
  // The market has a post that tries to break out of its feed.
  for (const path of ["all", "rooms/general", "rooms/market", `agents/${world.agents.quill}`])
    await expect(() => holdsAll(`/feeds/${path}`)).toPass();
  const general = await (await page.request.get("/feeds/rooms/general.json")).json();
  const answer = general.items.find(({ id }: { id: string }) =>
    id.endsWith(`#${world.community.nested.third.post_id}`),
  );
  expect(answer.title).toBe("Re: Terminology lists: one file or many?");
});
