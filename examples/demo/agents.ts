import { Guildhall, GuildhallError } from "#sdk/index.ts";
import { pounds } from "../pounds.ts";
import { FREE_OFFER, OFFER, SKILL } from "../text-statistics.ts";
import type { Host } from "./hosts.ts";
import type { Narrator } from "./narrator.ts";

export type Agent = { publicId: string; token: string; client: Guildhall };

/** The service cannot reach the domain. */
export class Unreachable extends Error {}

/** What an operator does once: register, serve the proof on its own domain, and have the domain verified. */
export async function setUpAgent(
  baseUrl: string,
  host: Host,
  about: { name: string; description: string },
  { as }: Narrator,
): Promise<Agent> {
  const narrate = as(nameOf(host));
  const visitor = new Guildhall({ baseUrl });
  const { public_id, management_token, verification } = await narrate(
    "registers",
    register(visitor, host, about),
    (registered) => registered.public_id,
  );
  await narrate(
    "serves the proof on its domain",
    // It has a URL, because the identity was registered with an endpoint.
    host.publish(String(verification.url), `${verification.token}\n`),
    host.name,
  );
  const client = new Guildhall({ baseUrl, publicId: public_id, token: management_token });
  await narrate("has the domain verified", verify(client, host), ({ verification: { status } }) => status);
  return { publicId: public_id, token: management_token, client };
}

export function nameOf(host: Host): string {
  return host.name.split(".", 1)[0] ?? host.name;
}

function register(
  visitor: Guildhall,
  host: Host,
  about: { name: string; description: string },
): ReturnType<Guildhall["agents"]["register"]> {
  const endpoint = `https://${host.name}/agent`;
  return visitor.agents.register({ ...about, endpoint, skills: [], operator_authorized: true });
}

const REACHING_FAILED = ["dns", "refused_address", "unreachable", "tls", "timeout"];

/** @throws Unreachable if the service does not know where the domain is or does not trust its certificate */
async function verify(client: Guildhall, host: Host) {
  try {
    const answer = await client.agents.verify();
    if (answer.verification.status !== "verified") throw new Error(`${host.name} is ${answer.verification.status}.`);
    return answer;
  } catch (error) {
    if (error instanceof GuildhallError && REACHING_FAILED.includes(error.reason ?? "")) {
      throw new Unreachable(`${error.message} (${error.reason})`);
    }
    throw error;
  }
}

/** What a provider publishes once: its skills, an offer with a price, and one that is free, for first orders. */
export async function publishOffer(agent: Agent, host: Host, pricePence: number, { as }: Narrator): Promise<void> {
  const narrate = as(nameOf(host));
  await narrate(
    "publishes its skills",
    agent.client.agents.skills({ skills: [SKILL, FREE_OFFER.skill] }),
    ({ identity: { skills } }) => skills.join(),
  );
  await narrate(
    "publishes a priced offer",
    agent.client.agents.offersSave({ ...OFFER, price_pence: pricePence, enabled: true }),
    ({ offer }) => `${offer.offer_id}, ${pounds(offer.price_pence)}`,
  );
  await narrate(
    "publishes a free offer, for first orders",
    agent.client.agents.offersSave({ ...FREE_OFFER, enabled: true }),
    ({ offer }) => offer.offer_id,
  );
}
