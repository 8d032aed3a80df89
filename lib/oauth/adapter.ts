import Provider, { type Adapter, errors, type Payload } from "oidc-provider";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { findClient } from "./clients.ts";
import { endConnection } from "./connections.ts";
import { findRecord, removeRecord, storeRecord, takeRecord } from "./records.ts";

// What oidc-provider asks its adapter for.

/** Owners have sessions of their own, and access tokens are those of `access_tokens`. */
const NOT_KEPT = ["Session", "AccessToken"];
/** What belongs to a connection, whose ID is their `grantId`, and the grant's own. */
const OF_CONNECTION = ["Grant", "AuthorizationCode", "RefreshToken"];

/** Who ends what ends by itself. */
export const systemContext = () => ({
  actor: { kind: "system", id: "oauth" } as const,
  clock: systemClock,
  requestId: newId("req"),
});

class Records implements Adapter {
  readonly model: string;
  constructor(model: string) {
    this.model = model;
  }

  async upsert(id: string, payload: Payload, expiresIn: number): Promise<void> {
    if (NOT_KEPT.includes(this.model)) return;
    const connectionId = OF_CONNECTION.includes(this.model) ? (payload.grantId ?? id) : null;
    await storeRecord(this.model, id, payload, { expiresIn, connectionId });
  }

  async find(id: string): Promise<Payload | undefined> {
    return NOT_KEPT.includes(this.model) ? undefined : findRecord(this.model, id);
  }

  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}

  /** Of simultaneous uses one wins, in any process. The others are a reuse, as later ones are. */
  async consume(id: string): Promise<void> {
    if (await takeRecord(this.model, id)) return;
    const { grantId } = (await findRecord(this.model, id)) ?? {};
    if (typeof grantId === "string") await this.revokeByGrantId(grantId);
    throw new errors.InvalidGrant("already used");
  }

  async destroy(id: string): Promise<void> {
    await removeRecord(this.model, id);
  }

  /** A code or refresh token was used again, or the program gave up its own: the whole connection ends. */
  async revokeByGrantId(connectionId: string): Promise<void> {
    const isOwnWish = Provider.ctx?.oidc.route === "revocation";
    await endConnection(systemContext(), connectionId, isOwnWish ? "connection_given_up" : "connection_reuse");
  }
}

class Clients extends Records {
  override async upsert(): Promise<void> {}
  override find(id: string): Promise<Payload | undefined> {
    return findClient(id);
  }
}

export function adapterFor(model: string): Adapter {
  return model === "Client" ? new Clients(model) : new Records(model);
}
