import type { Page } from "playwright/test";
import { BASE, connect, expect, type Installation, section, test } from "./operator.ts";
import type { Agent } from "./service/agents.ts";

// One task in two browsers. Every change of a page is looked at for panels that contradict each other, and after each step both
// browsers have to tell the same story after one refresh.

type Panels = {
  task: string;
  contract: string | null;
  settlement: string | null;
  dispute: string | null;
  step: string | null;
  sentence: string;
  buttons: string[];
};

declare global {
  interface Window {
    contradictions: string[];
    readPanels(): Panels | undefined;
  }
}

/** Runs in the page: reads its panels, and after every change of the document notes those that do not agree. */
function watchPanels(): void {
  const AGREED = ["accepted", "in_progress", "submitted", "completed"];
  const WORDS: Record<string, string> = { in_progress: "In progress" };
  const stateOf = (kind: string) =>
    document.querySelector(`main [data-kind="${kind}"]`)?.getAttribute("data-state") ?? null;
  window.contradictions = [];
  window.readPanels = () => {
    const task = stateOf("task");
    if (!task || !document.querySelector("#steps")) return undefined;
    return {
      task,
      contract: stateOf("contract"),
      settlement: stateOf("settlement"),
      dispute: stateOf("dispute"),
      step: document.querySelector("main [aria-current=step]")?.children[1]?.textContent ?? null,
      sentence: document.querySelector("main .cockpit [role=status] p")?.textContent ?? "",
      buttons: [...document.querySelectorAll("main button, main #steps ~ ul a")].map((each) => each.textContent ?? ""),
    };
  };
  const check = () => {
    const panels = window.readPanels();
    if (!panels) return;
    const { task, contract, settlement, dispute, step, buttons } = panels;
    const word = WORDS[task] ?? task.charAt(0).toUpperCase() + task.slice(1);
    const wrong = [
      AGREED.includes(task) && contract !== "accepted" && "the agreement of an agreed task is not accepted",
      task === "proposed" && contract !== "proposed" && "a proposed task has no proposed agreement",
      ["open", "claimed"].includes(task) && contract && "a task without an agreement shows one",
      ["accepted", "in_progress", "submitted"].includes(task) &&
        settlement !== "recorded" &&
        "the settlement is not recorded",
      task === "completed" && settlement !== "approved" && "the settlement of a completed task is not approved",
      !["completed", "cancelled", "expired"].includes(task) && step !== word && `the path is at ${step}`,
      dispute === "open" && buttons.includes("Complete") && "a disputed task can be completed",
      panels.sentence.includes("fund it") && task !== "accepted" && "it waits for funding",
    ].filter(Boolean);
    for (const each of wrong) window.contradictions.push(`${each}: ${JSON.stringify(panels)}`);
  };
  document.addEventListener("DOMContentLoaded", () => {
    new MutationObserver(check).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
}

async function openTask(page: Page, agent: Agent, task: string): Promise<void> {
  await page.addInitScript(watchPanels);
  await connect(page, agent, `${BASE}/tasks/${task}`);
}

/** Refreshes once, and reads the panels when the answer is there. */
async function refreshed(page: Page): Promise<Panels> {
  const answered = page.waitForResponse((response) => response.url().includes("/jobs/show.php"));
  await page.getByRole("button", { name: "Refresh", exact: true }).first().click();
  await answered;
  await expect(page.getByText(/refreshing…/)).toHaveCount(0);
  const panels = await page.evaluate(() => window.readPanels());
  if (!panels) throw new Error("The page shows no task.");
  return panels;
}

const shownTo = async (pages: Page[]) => Promise.all(pages.map(refreshed));

/** What both parties are shown alike. */
const common = ({ task, contract, settlement, dispute, step }: Panels) => ({
  task,
  contract,
  settlement,
  dispute,
  step,
});

async function tellStory(installation: Installation, pages: [Page, Page], parties: [Agent, Agent], task: string) {
  const [requester, provider] = parties;
  const { tasks } = installation;
  let contract = { contract_id: "", terms_hash: "" };
  const told: [Panels, Panels][] = [];
  const steps: [string, () => Promise<unknown>, turn: "requester" | "provider"][] = [
    ["claimed", () => tasks.step(provider, "claim", task), "requester"],
    ["proposed", async () => (contract = await tasks.propose(requester, task, 700)), "requester"],
    ["proposed", () => tasks.accept(requester, contract), "provider"],
    ["accepted", () => tasks.accept(provider, contract), "requester"],
    ["accepted", () => tasks.fund(requester, contract), "provider"],
    ["in_progress", () => tasks.step(provider, "start", task), "provider"],
    ["submitted", () => tasks.step(provider, "submit", task, { result: "Done." }), "requester"],
    ["in_progress", () => tasks.step(requester, "request_changes", task, { reason: "More." }), "provider"],
    ["submitted", () => tasks.step(provider, "submit", task, { result: "All done." }), "requester"],
    ["submitted", () => tasks.step(provider, "dispute", task, { reason: "Not answered." }), "requester"],
  ];
  for (const [state, take, turn] of steps) {
    await take();
    const [mine, theirs] = (await shownTo(pages)) as [Panels, Panels];
    expect(common(mine)).toEqual(common(theirs));
    expect(mine.task).toBe(state);
    const [first, second] = turn === "requester" ? [mine, theirs] : [theirs, mine];
    expect(first.sentence).toMatch(/^Your turn/);
    // Until one has accepted the agreement, it is the turn of both.
    if (!(state === "proposed" && turn === "requester")) expect(second.sentence).toMatch(/^Waiting for/);
    told.push([mine, theirs]);
  }
  return told;
}

test("two browsers side by side tell the same story of a task, and no page contradicts itself", async ({
  page,
  browser,
  baseURL,
  installation,
}) => {
  const requester = await installation.agent("Alder");
  const provider = await installation.agent("Birch");
  const task = await installation.tasks.post(requester, { brief: "Told twice", budget: 900, provider });
  const context = await browser.newContext({ baseURL });
  const other = await context.newPage();
  await openTask(page, requester, task);
  await openTask(other, provider, task);
  await tellStory(installation, [page, other], [requester, provider], task);

  // Both are heard, each in its own browser, and read the other after a refresh.
  await other.getByLabel("Your statement").fill("Everything in the brief is done.");
  await other.getByRole("button", { name: "Send statement" }).click();
  await expect(other.getByRole("region", { name: "Provider’s side" })).toContainText(
    "Everything in the brief is done.",
  );
  await refreshed(page);
  await section(page, "Dispute");
  await expect(page.getByRole("region", { name: "Provider’s side" })).toContainText("Everything in the brief is done.");
  await page.getByLabel("Your statement").fill("The second half is missing.");
  await page.getByRole("button", { name: "Send statement" }).click();
  await expect(page.getByText("4 of 5 statements left")).toBeVisible();
  await refreshed(other);
  await expect(other.getByRole("region", { name: "Requester’s side" })).toContainText("The second half is missing.");

  // A visitor sees the agreed price and nothing of the dispute.
  const visitor = await context.newPage();
  await visitor.goto(`/tasks/${task}`);
  await expect(visitor.getByRole("main")).toContainText("Agreed £7.00");
  await expect(visitor.getByRole("main")).not.toContainText("second half");
  for (const each of [page, other]) expect(await each.evaluate(() => window.contradictions)).toEqual([]);
  await context.close();
});
