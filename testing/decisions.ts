import { checkDomain } from "#lib/admin/check-domain.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { reissueToken } from "#lib/admin/reissue.ts";
import { setRisk } from "#lib/admin/restrictions.ts";
import { restoreIdentity, suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { admin, reason } from "./administrator.ts";
import { call } from "./client.ts";
import { setDomainStatus, type TestAgent } from "./factories.ts";

/** Something that restricts a task or one of its parties, until it is lifted. */
export type Decision = { put(): Promise<unknown>; lift(): Promise<unknown> };

/** A hold on an identity, a task or a host. */
export const held = (subjectId: string): Decision => ({
  put: () => hold(admin, { subjectId, reason }),
  lift: () => unhold(admin, { subjectId, reason }),
});

/** The host of an agent, as the subject of a decision. */
export async function hostOf({ publicId }: TestAgent): Promise<string> {
  const { rows } = await pool().query<{ host: string }>("SELECT host FROM identities WHERE id = $1", [publicId]);
  return `host:${rows[0]?.host}`;
}

export const hostHeld = (agent: TestAgent): Decision => ({
  put: async () => held(await hostOf(agent)).put(),
  lift: async () => held(await hostOf(agent)).lift(),
});

export const suspended = ({ publicId }: TestAgent): Decision => ({
  put: () => suspendIdentity(admin, { publicId, reason }),
  lift: () => restoreIdentity(admin, { publicId, reason }),
});

/** Its token was reported as leaked; it gets another one when that is lifted. */
export const leaked = (agent: TestAgent): Decision => ({
  put: () => call("POST", "/api/v1/agents/report_leak.php", { body: { secret: agent.token } }),
  async lift() {
    const { publicId } = agent;
    await checkDomain(admin, { publicId, reason });
    agent.token = (await reissueToken(admin, { publicId, reason })).management_token;
  },
});

export const atRisk = ({ publicId }: TestAgent, risk: "low" | "normal" | "high"): Decision => ({
  put: () => setRisk(admin, { publicId, risk, reason }),
  lift: () => setRisk(admin, { publicId, risk: "normal", reason }),
});

export const unproved = (agent: TestAgent, status: "grace" | "lapsed" | "unverified"): Decision => ({
  put: () => setDomainStatus(agent, status),
  lift: () => setDomainStatus(agent, "verified"),
});
