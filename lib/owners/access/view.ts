import type { AccessToken } from "#lib/db/generated/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { Scope } from "#lib/kernel/scopes.ts";
import type { AccessWire } from "./schema.ts";

/** An access token as its operator and owner see it. */
export function viewAccess(row: Omit<AccessToken, "digest">): AccessWire {
  return {
    access_id: row.id,
    name: row.name,
    scopes: row.scopes as Scope[],
    max_price_pence: row.maxPricePence,
    created_at: iso(row.createdAt),
    expires_at: iso(row.expiresAt),
    hint: row.hint,
    last_used_at: iso(row.lastUsedAt),
  };
}
