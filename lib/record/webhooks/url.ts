import { prisma } from "#lib/db/client.ts";
import { proofRemedy } from "#lib/identity/domain/domain-status.ts";
import { holdGate, holdOn } from "#lib/identity/holds.ts";
import { isDomainProved, type ServiceActor } from "#lib/kernel/actor.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import type { DevHosts } from "#lib/kernel/env/dev-hosts.ts";
import { env } from "#lib/kernel/env.ts";
import { type GateResult, gateRefused, notFound } from "#lib/kernel/errors.ts";

type UrlFacts = {
  domainStatus: ServiceActor["domainStatus"];
  /** The host that the identity has proved; null without an endpoint. */
  host: string | null;
  /** Names that development maps to another port than 443. */
  devHosts: DevHosts;
};

/** Whether an identity may have its events sent to a URL of valid form: only its own verified host gets them. Pure. */
function domainGate(url: string, facts: UrlFacts): GateResult {
  const obstacle = obstacleTo(url, facts);
  return { gate: "domain", passed: !obstacle, reason: obstacle?.reason ?? null, remedy: obstacle?.remedy ?? null };
}

function obstacleTo(text: string, { domainStatus, host, devHosts }: UrlFacts) {
  if (host === null || !isDomainProved(domainStatus))
    return { reason: domainStatus, remedy: proofRemedy(host !== null) };
  const url = new URL(text);
  if (url.protocol !== "https:") return { reason: "not_https", remedy: "Use an https: URL." };
  if (hostOf(url) !== host)
    return { reason: "other_host", remedy: `Use a URL on ${host}, the host that this identity has verified.` };
  if (url.port !== "" && Number(url.port) !== devHosts.get(host)?.port)
    return { reason: "other_port", remedy: "Leave the port out: webhooks use port 443." };
  return undefined;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, "");
}

/**
 * Refuses a URL that the caller may not have events sent to.
 * @returns the URL in its normal form
 * @throws ApiError gate_refused
 */
export async function requireOwnUrl(ctx: ServiceContext, url: string): Promise<string> {
  const identity = await prisma().identity.findUnique({
    where: { id: ctx.actor.id },
    select: { host: true, domainStatus: true },
  });
  if (!identity) throw notFound();
  const frozen = holdOn({ frozen: ctx.actor.frozen, held: false, leaked: false });
  const gates = [...(frozen ? [holdGate(frozen)] : []), domainGate(url, { ...identity, devHosts: env().devHosts })];
  const parsed = parsePublicHttpsUrl(url);
  if (!parsed.ok || gates.some(({ passed }) => !passed)) throw gateRefused(gates);
  return parsed.url;
}
