import { signInAsAdministrator } from "./admin.ts";
import { expect, lookAtTask, lookAtView, reportAll, test } from "./hostile.ts";
import { connect } from "./operator.ts";
import { signUp } from "./owner.ts";
import { makeAdministrator } from "./service/administrator.ts";
import { readEverything } from "./service/hostile-reads.ts";
import { hides, hostileTexts, MARK, missingIn, packed, REFUSED_SIGNS } from "./service/hostile-texts.ts";

// All tests share one set of planted texts.
test.describe.configure({ mode: "default" });

test("five hundred distinct hostile texts are accepted, and every answer with one marks it as untrusted", async ({
  planted,
}) => {
  const { texts, witness } = planted;
  expect(new Set(texts.map(({ text }) => text)).size).toBe(500);
  expect(witness.seen).toBeGreaterThan(700);
  await readEverything(planted);
  expect(witness.unmarked).toEqual([]);
});

test("the watch reports markup, scripts and invisible characters on a page", async ({ page, watch }) => {
  await page.goto("/about");
  await expect(async () => {
    await page.evaluate(() => {
      const main = document.querySelector("main");
      if (main) main.innerHTML = "<img src=//elsewhere.example/x onerror=ran('x')><script>1</script>\u200B";
    });
    // Hydration, if it finishes late, restores the page's own content.
    expect((await watch.intruders()).map((each) => each.split(":")[0]).sort()).toEqual([
      "attribute",
      "attribute",
      "element",
      "element",
      "unseen",
    ]);
  }).toPass();
  await expect.poll(() => watch.harm.length).toBeGreaterThan(0);
});

test("unclosed direction overrides are refused in every field", async ({ planted }) => {
  const { witness, authors, sellers } = planted;
  const [buyer] = sellers;
  const { public_id, community_key } = authors[0]?.member.credential ?? { public_id: "", community_key: "" };
  const post = (fields: object) =>
    witness.send("POST", "/api/v1/community/", community_key, { action: "post", public_id, ...fields });
  for (const sign of REFUSED_SIGNS) {
    const text = `photo${sign}gpj.exe`;
    const answers = [
      await post({ title: text, body: "x" }),
      await post({ title: "x", body: text }),
      await witness.send("POST", "/api/v1/community/", community_key, { action: "profile", public_id, bio: text }),
      await witness.send("POST", "/api/v1/jobs/create.php", buyer.management_token, {
        public_id: buyer.public_id,
        brief: text,
        budget_pence: 0,
        client_request_id: `turned-${sign.codePointAt(0)}`,
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
  }
});

test("in the feed, its rooms and threads every text is text, and invisible characters are labelled", async ({
  planted,
  watch,
}) => {
  const { texts, opening, answers } = planted;
  // The titles, texts and authors of all threads.
  const feed = await watch.walk("/feed?room=help");
  expect(missingIn(feed, texts)).toEqual([]);
  const signs = new Map<string, string[]>();
  const thread = await watch.walk(`/threads/${opening.thread_id}`, async () => {
    for (const [id, labels] of await watch.unseenSigns()) signs.set(id, labels);
  });
  expect(missingIn(thread, texts)).toEqual([]);
  await watch.look("/");
  await watch.look("/feed");
  await watch.look(`/feed?q=${MARK}001`);
  await watch.look(`/feed?agent=${planted.authors[2]?.public_id}`);
  let bulk = "";
  for (const { thread_id: id } of planted.whole) bulk += await watch.look(`/threads/${id}`);
  expect(missingIn(bulk, texts)).toEqual([]);

  // Invisible characters in an answer are labelled.
  const hiding = answers.slice(0, texts.filter(hides).length);
  // A joiner next to letters of a joining script is legitimate; within a URL it becomes part of the punycode or path.
  const unnamed = hiding.filter(
    ({ post_id: id, body }) =>
      !body.startsWith("https:") && !signs.get(id)?.some((label) => /U\+|invisible/.test(label)),
  );
  expect(unnamed.map(({ body }) => JSON.stringify(body))).toEqual([]);
  expect(hiding.length).toBe(140);
});

test("on the lists of agents, offers and tasks every text is text", async ({ page, planted, watch }) => {
  const { texts } = planted;
  expect(missingIn(await watch.walk("/agents"), texts)).toEqual([]);
  expect(missingIn(await watch.walk("/tasks"), texts)).toEqual([]);
  expect(missingIn(await watch.walk("/offers"), texts)).toEqual([]);
  expect(missingIn(await watch.look(`/agents/${planted.sellers[1]?.public_id}`), texts)).toEqual([]);
  await watch.look("/network?sort=name");
  await expect(page.getByText("Loading the map")).toHaveCount(0);
  await watch.look(`/network?agent=${planted.authors[0]?.public_id}&q=${MARK}`);
});

test("on every agent's own page and every task's, every text is text", async ({ planted, watch }) => {
  // A few of each family are opened in the browser; of the rest, every third one is fetched and parsed.
  const profiles = planted.authors.map(({ public_id: id }) => `/agents/${id}`);
  for (const path of profiles.filter((_, index) => index % 14 === 0)) await watch.look(path);
  const tasks = (await planted.witness.tasks("/api/v1/jobs/list.php?limit=100")).map((id) => `/tasks/${id}`);
  for (const path of tasks.filter((_, index) => index % 12 === 0)) await watch.look(path);
  expect(await watch.intrudersAt([...profiles.filter((_, index) => index % 3 === 0), ...tasks])).toEqual([]);
  expect(watch.harm).toEqual([]);
});

test("feeds stay well-formed with hostile texts in them", async ({ page }) => {
  await page.goto("/about");
  const broken = await page.evaluate(async () => {
    const xml = await (await fetch("/feeds/all.atom")).text();
    return new DOMParser().parseFromString(xml, "application/xml").querySelectorAll("parsererror, script").length;
  });
  expect(broken).toBe(0);
  const feed = await (await page.request.get("/feeds/all.json")).json();
  expect(JSON.stringify(feed)).toContain(MARK);
  expect(feed._guildhall.content_trust).toBe("untrusted");
});

test("before signing in and in the workspace, every text is text", async ({ page, planted, watch }) => {
  const texts = hostileTexts();
  const name = packed(texts, 100, " ")[3] ?? "";
  const [bio] = packed(texts.slice(200), 1_000);
  const { answer } = await planted.witness.send("POST", "/api/v1/community/", undefined, {
    action: "register",
    name,
    bio,
    arrival_source: name,
    public_consent: true,
    operator_authorized: true,
  });
  await signUp(page, { name, email: "hostile@example.com", password: "correct horse battery" });
  await watch.look("/workspace");
  await page.goto(String(answer.claim_url));
  await expect(page.getByRole("main")).toContainText(MARK);
  expect(await watch.intruders()).toEqual([]);
  for (const { post_id: id } of [planted.opening, ...planted.answers.filter((_, index) => index % 50 === 0)]) {
    await watch.look(`/workspace/report?subject=${id}`);
  }
  await page.getByLabel("What is wrong with it?").fill(texts[0]?.text ?? "");
  await page.getByRole("button", { name: "Report" }).click();
  await expect(page.getByText(/rpt_/)).toBeVisible();
  await watch.look(`/workspace/post?reply_to=${planted.opening.post_id}`);
});

test("in the administration every text is text, reasons of reports and disputes included", async ({
  page,
  ground: { service },
  planted,
  watch,
}) => {
  await signInAsAdministrator(page, await makeAdministrator(service.dataDir));
  const reported = await reportAll(page, planted);
  expect(reported).toBeGreaterThan(5);
  let shown = "";
  for (const list of ["reports", "disputes", "tasks", "settlements", "identities"]) {
    await watch.look(`/admin/${list}`);
    const links = await page
      .locator(`main a[href^="/admin/${list}/"]`)
      .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(links.length, list).toBeGreaterThan(0);
    const wanted = list === "reports" ? links : links.slice(0, 3);
    for (const path of new Set(wanted)) shown += await watch.look(path);
  }
  for (const path of ["/admin", "/admin/audit", "/admin/numbers"]) await watch.look(path);
  expect(missingIn(shown, planted.texts)).toEqual([]);
});

test("in the operator's workspace the texts of both parties are text", async ({ page, planted, watch }) => {
  const { texts, sellers, witness } = planted;
  const marksIn = (text: string) => [...text.matchAll(new RegExp(`${MARK}\\d{3}`, "g"))].join();
  let [shown, reasons, criteria] = ["", "", ""];
  // The buyer's newest tasks are those that were worked on. A few are opened in full, the others where the parties' reasons are.
  for (const [party, all, whole, steps] of [
    [sellers[0], packed(texts, 2_000).length, 8, 3],
    [sellers[1], 4, 3, 2],
  ] as const) {
    await connect(page, party);
    for (const place of ["", "/offers", "/inbox", "/tasks", "/settlements"])
      shown += await lookAtView(page, watch, place);
    const mine = `/api/v1/jobs/mine.php?public_id=${party.public_id}&limit=${all}`;
    for (const [at, id] of (await witness.tasks(mine, party.management_token)).entries()) {
      const task = await lookAtTask(page, watch, id, at < whole ? /./ : /^(History|Dispute)$/);
      // Given back, which only the buyer sees, declined, and then cancelled or returned for changes: each time for the same reason.
      expect(task.reasons.length, id).toBeGreaterThanOrEqual(steps);
      expect(new Set(task.reasons.map(marksIn)).size, id).toBe(1);
      shown += task.shown;
      reasons += task.reasons.join();
      criteria += task.criteria.join();
    }
  }
  for (const place of [shown, reasons, criteria]) expect(missingIn(place, texts)).toEqual([]);
});
