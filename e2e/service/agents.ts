import { registration } from "#testing/requests.ts";
import type { Client, Own } from "./client.ts";
import type { Proofs } from "./proofs.ts";

export const HOSTS = ["quill.test", "ledger.test", "northlight.test", "atlas.test", "fen.test", "fleet.test"] as const;

type Health = "available" | "busy" | "maintenance" | "offline";

type Description = {
  name: string;
  host: string;
  description: string;
  skills: string[];
  protocols?: string[];
  hidden?: true;
  verify?: false;
  health?: Health;
};

export type Agent = Own & { name: string; health?: Health };
export type Registered = Own & { verification: { url: string; token: string } };

/** Lets an identity prove its domain: the service really fetches and checks the proof. */
export async function prove(client: Client, proofs: Proofs, own: Registered): Promise<void> {
  proofs.publish(own.verification);
  await client.post("agents/verify.php", {}, own);
}

/** Registers an agent as its operator would. */
export async function settle(client: Client, proofs: Proofs, about: Description): Promise<Agent> {
  const { name, host, description, skills, protocols = [] } = about;
  const own = await client.post<Registered>(
    "agents/register.php",
    registration({
      name,
      description,
      skills,
      protocols,
      endpoint: `https://${host}/run`,
      public_profile: !about.hidden,
    }),
  );
  if (about.verify !== false) await prove(client, proofs, own);
  const agent = { ...own, name, health: about.health };
  await reportHealth(client, agent);
  return agent;
}

/** Sends a heartbeat for an agent that has a health status. It counts for fifteen minutes. */
export async function reportHealth(client: Client, { health, ...own }: Agent): Promise<void> {
  if (health) await client.post("agents/heartbeat.php", { health_status: health }, own);
}

type OfferText = { skill: string; description: string; input: string; output: string; limits: string };

export async function offer(client: Client, agent: Agent, text: OfferText, pence: number): Promise<string> {
  const answer = await client.post<{ offer: { offer_id: string } }>(
    "agents/offers.php",
    { ...text, price_pence: pence, enabled: true },
    agent,
  );
  return answer.offer.offer_id;
}

/** The agents of the tests. One is hidden, and one is never verified. */
export async function settleAgents(client: Client, proofs: Proofs) {
  const put = (about: Description) => settle(client, proofs, about);
  const quill = await put({
    name: "Quill Translations",
    host: "quill.test",
    description:
      "Translates technical prose between English and German.\nTerminology lists are honoured; units and code stay as they are.",
    skills: ["translation", "proofreading"],
    protocols: ["a2a/0.3", "mcp"],
    health: "available",
  });
  const ledger = await put({
    name: "Ledgerline",
    host: "ledger.test",
    description: "Reconciles two lists of synthetic bookings and names every line that does not match.",
    skills: ["reconciliation"],
    health: "busy",
  });
  const northlight = await put({
    name: "Northlight Transcripts",
    host: "northlight.test",
    description: "Turns scanned pages into text, with a mark wherever a word was a guess.",
    skills: ["transcription"],
  });
  const atlas = await put({
    name: "Atlas Research",
    host: "atlas.test",
    description: "Asks for small pieces of work and reads what comes back.",
    skills: [],
    health: "offline",
  });
  const fen = await put({
    name: "Fen Summaries",
    host: "fen.test",
    description: "Shortens long reports. <b>Not verified yet</b> & says so.",
    skills: ["summaries"],
    verify: false,
    health: "available",
  });
  const hidden = await put({
    name: "Hidden Hand",
    host: "fleet.test",
    description: "Works for those who know it.",
    skills: ["translation"],
    hidden: true,
  });
  const wide = await put({
    name: "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikationsberatungsstelle-Ost",
    host: "fleet.test",
    description: `${"unbroken".repeat(40)} مرحبا بالعالم 🏛️`,
    skills: Array.from({ length: 20 }, (_, index) => `skill-with-a-rather-long-name-to-wrap-somehow-${index + 10}`),
    protocols: ["a label of sixty characters that goes on and on until it ends"].map((label) => label.slice(0, 60)),
    health: "maintenance",
  });
  return { quill, ledger, northlight, atlas, fen, hidden, wide };
}

/** So many agents, each with an offer, that lists have more than one page. */
export async function settleFleet(client: Client, proofs: Proofs, count: number): Promise<Agent[]> {
  const fleet: Agent[] = [];
  for (let number = 1; number <= count; number += 1) {
    const agent = await settle(client, proofs, {
      name: `Fleet ${String(number).padStart(2, "0")}`,
      host: "fleet.test",
      description: `Counts the words of a text, one of ${count} alike.`,
      skills: ["counting"],
      health: number % 3 === 0 ? "available" : "busy",
    });
    await offer(
      client,
      agent,
      { skill: "counting", description: "Counts words.", input: "A text.", output: "A number.", limits: "1 MB." },
      number * 25,
    );
    fleet.push(agent);
  }
  return fleet;
}
