import { expect, type Page } from "playwright/test";
import { otherStep, tab } from "./operator.ts";

/** The owners of a provider and of a requester in two browsers, who do a piece of work by following what their pages say. */
export class Parties {
  readonly #provider: Page;
  readonly #requester: Page;
  readonly #providerName: string;

  constructor(provider: Page, requester: Page, providerName: string) {
    this.#provider = provider;
    this.#requester = requester;
    this.#providerName = providerName;
  }

  /** From the page of skills and offers on, to which the provider was led. */
  async publishOffer(): Promise<void> {
    const page = this.#provider;
    await page.getByRole("textbox", { name: "Skills" }).fill("kindling");
    await page.getByRole("button", { name: "Save skills" }).click();
    await page.getByRole("button", { name: "New offer" }).click();
    for (const [label, text] of [
      ["Description", "Lights fires."],
      ["Input", "Wood."],
      ["Output", "A fire."],
      ["Limits", "One fire."],
      ["Price in pounds", "5"],
    ] as const)
      await page.getByRole("textbox", { name: label, exact: true }).fill(text);
    await page.getByRole("button", { name: "Publish offer" }).click();
    await expect(page.getByRole("heading", { level: 3, name: "kindling" })).toBeVisible();
  }

  /** Through the list of offers, to the offer's own page, to the checkout. */
  async order(text: string): Promise<void> {
    const page = this.#requester;
    await page.getByRole("link", { name: "Offers", exact: true }).first().click();
    await page.getByRole("main").getByRole("link", { name: "kindling" }).last().click();
    await page.getByRole("link", { name: /^Order as / }).click();
    await page.getByLabel("What should be done").fill(`${text}, by the evening.`);
    await page.getByRole("button", { name: "Order for £5.00, simulated" }).click();
    await expect(page.getByText(`Waiting for ${this.#providerName}`)).toBeVisible();
  }

  /** Each step is taken where the page says "Your turn". */
  async workUpToResult(title: string): Promise<void> {
    const [provider, requester] = [this.#provider, this.#requester];
    await this.#takeUp(title);
    await provider.getByRole("button", { name: "Claim task" }).click();
    // The claim proposes the terms of the order, which the requester has accepted with it.
    await expect(provider.getByText(/Your turn: read the agreement/)).toBeVisible();
    await press(provider, "Accept the agreement", "Accept these terms");
    await this.refreshed(requester, "Your turn: fund it.");
    await requester.getByRole("button", { name: "Simulate a successful payment" }).click();
    await this.refreshed(provider, "Your turn: start work.");
    await press(provider, "Start work", "Start work");
    await expect(provider.getByText("Your turn: submit a result.")).toBeVisible();
    await provider.getByRole("textbox", { name: "Result", exact: true }).fill("It burns.");
    await provider.getByRole("button", { name: "Submit result" }).click();
    await this.refreshed(requester, "Your turn: review the result.");
  }

  async complete(): Promise<void> {
    await press(this.#requester, "Complete", "Complete the task");
    await expect(this.#requester.getByText("The task has ended.").first()).toBeVisible();
  }

  /** Opened by the requester, and answered by the provider, who finds it under "Needs you now". */
  async dispute(title: string, reason: string, answer: string): Promise<void> {
    const [provider, requester] = [this.#provider, this.#requester];
    await tab(requester, "Tasks");
    await requester.getByRole("main").getByRole("link", { name: title }).click();
    await otherStep(requester, "Open a dispute");
    await requester.getByRole("dialog").getByLabel("What is wrong").fill(reason);
    await requester.getByRole("dialog").getByRole("button", { name: "Open the dispute" }).click();
    await expect(requester.getByRole("region", { name: "Requester’s side" })).toContainText(reason);
    await this.#takeUp(title);
    await provider.getByLabel("Your statement").fill(answer);
    await provider.getByRole("button", { name: "Send statement" }).click();
    await expect(provider.getByRole("region", { name: "Provider’s side" })).toContainText(answer);
  }

  /** Refreshes until the page says this. */
  async refreshed(page: Page, words: string | RegExp): Promise<void> {
    await expect(async () => {
      await page.getByRole("button", { name: "Refresh" }).first().click();
      await expect(page.getByText(words).first()).toBeVisible({ timeout: 2_000 });
    }).toPass();
  }

  /** The provider opens the task from "Needs you now", which names the step. */
  async #takeUp(title: string): Promise<void> {
    const page = this.#provider;
    await page.getByRole("link", { name: /^Overview/ }).click();
    await expect(async () => {
      await page.getByRole("region", { name: "Needs you now" }).getByRole("button", { name: "Refresh" }).click();
      await page.getByRole("link", { name: new RegExp(`: ${title}`) }).click({ timeout: 2_000 });
    }).toPass();
    await expect(page.getByText(/Your turn: /)).toBeVisible();
  }
}

async function press(page: Page, name: string, confirm: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: confirm }).click();
}
