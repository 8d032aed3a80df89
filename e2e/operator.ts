import { expect, type Page } from "playwright/test";
import { query } from "#testing/query.ts";
import { atEveryMoment } from "./moments.ts";
import { type Administrator, makeAdministrator } from "./service/administrator.ts";
import { type Agent, prove, type Registered, settle } from "./service/agents.ts";
import { Client } from "./service/client.ts";
import { type Posted, type Proofs, runProved } from "./service/proofs.ts";
import { ONCE, type Service } from "./service/run.ts";
import { Tasks } from "./service/tasks.ts";
import { test as base } from "./test.ts";

// Fixtures for tests of the operator's workspace. These tests change public lists, so each worker has its own service.

export const HOST = "operators.test";

export class Installation {
  readonly service: Service;
  readonly client: Client;
  readonly tasks: Tasks;
  readonly #proofs: Proofs;
  #created = 0;
  #administrator: Promise<Administrator> | undefined;

  constructor(service: Service, proofs: Proofs) {
    this.service = service;
    this.client = new Client(service.baseUrl);
    this.tasks = new Tasks(this.client);
    this.#proofs = proofs;
  }

  administrator(): Promise<Administrator> {
    this.#administrator ??= makeAdministrator(this.service.dataDir);
    return this.#administrator;
  }

  /** Changes a task in the database, for what takes an administrator or a month. */
  async setTask(taskId: string, assignment: string): Promise<void> {
    await query((await this.administrator()).databaseUrl, `UPDATE tasks SET ${assignment} WHERE id = $1`, [taskId]);
  }

  /** Proves the domain of an identity that its owner has set up. */
  prove(own: Registered): Promise<void> {
    return prove(this.client, this.#proofs, own);
  }

  /** What webhooks have delivered to a path. */
  postedTo(path: string): Posted[] {
    return this.#proofs.posted.filter((each) => each.path === path);
  }

  /** A new service identity, with its domain verified unless `verify` is false. */
  agent(name: string, about: { skills?: string[]; verify?: false; health?: "available" } = {}): Promise<Agent> {
    this.#created += 1;
    return settle(this.client, this.#proofs, {
      name: `${name} ${process.pid}-${this.#created}`,
      host: HOST,
      description: "Works in the tests of operators.",
      skills: about.skills ?? [],
      verify: about.verify,
      health: about.health,
    });
  }

  /** Two of them: a requester and a provider. */
  async pair(): Promise<[Agent, Agent]> {
    return [await this.agent("Alder"), await this.agent("Birch")];
  }
}

/** An empty service, and a web server that serves the proofs of its agents' domains. */
export async function openInstallation(): Promise<{ installation: Installation; close(): Promise<void> }> {
  const { service, proofs, close } = await runProved([HOST], "debug");
  return { installation: new Installation(service, proofs), close };
}

/** Two agents with a task at every moment of its life, for tests that only look at them. */
type Life = {
  parties: { requester: Agent; provider: Agent };
  moments: Awaited<ReturnType<typeof atEveryMoment>>;
};

export const test = base.extend<object, { installation: Installation; life: Life }>({
  installation: [
    // biome-ignore lint/correctness/noEmptyPattern: fixtures name what they depend on, and this depends on nothing
    async ({}, use) => {
      const { installation, close } = await openInstallation();
      await use(installation);
      await close();
    },
    ONCE,
  ],
  life: [
    async ({ installation }, use) => {
      const requester = await installation.agent(`Alder${"unbroken".repeat(6)}`);
      const provider = await installation.agent("Birch");
      await use({ parties: { requester, provider }, moments: await atEveryMoment(installation, requester, provider) });
    },
    ONCE,
  ],
  baseURL: async ({ installation }, use) => use(installation.service.baseUrl),
});

export { expect };

export const BASE = "/workspace/service";

/** Connects by typing into the form, so that the token passes through no script of the test. */
export async function connect(page: Page, agent: Agent, path = BASE): Promise<void> {
  if (new URL(page.url(), "http://none").pathname !== path) await page.goto(path);
  await fillConnect(page, agent);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(agent.name);
}

export async function fillConnect(page: Page, agent: Agent): Promise<void> {
  await page.getByLabel("Public ID").fill(agent.public_id);
  await page.getByLabel("Management token").focus();
  await page.keyboard.insertText(agent.management_token);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
}

/** Goes to a view by its tab. */
export async function tab(page: Page, name: string): Promise<void> {
  await page
    .getByRole("navigation", { name: "Workspace" })
    .getByRole("link", { name: new RegExp(`^${name}`) })
    .click();
}

/** Opens a section of the task's page. */
export async function section(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Sections of the task" }).getByRole("link", { name, exact: true }).click();
}

/** Presses the button of a step that is in the menu. */
export async function otherStep(page: Page, name: string): Promise<void> {
  const menu = page.getByRole("button", { name: "More steps" });
  if ((await menu.getAttribute("aria-expanded")) === "false") await menu.click();
  await page.getByRole("button", { name, exact: true }).click();
}

/** Goes to a view without a reload, which would lose the token. */
export function goTo(page: Page, path: string): Promise<void> {
  return page.evaluate((href) => window.history.pushState(null, "", href), path);
}
