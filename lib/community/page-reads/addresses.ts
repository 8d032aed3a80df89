import { bigint, nullable, text, timestamp } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { LISTED } from "#lib/identity/row.ts";

/** Sequence numbers in one part of the site map; a part never contains more addresses than this. */
const PART = 10_000;

/** Reads of the addresses of one kind, which any visitor may open: those with a sequence number above `$1`, up to `$2`, and the last number. */
const addresses = (table: string, select: string) => ({
  within: statement(`site_map_${table}`, { id: text, at: timestamp }, `${select} ORDER BY seq`),
  last: statement(`site_map_${table}_last`, { last: nullable(bigint) }, `SELECT max(seq) AS last FROM ${table}`),
});

const ADDRESSES = {
  threads: addresses(
    "posts",
    `SELECT thread_id AS id, created_at AS at FROM posts p
     WHERE seq > $1 AND seq <= $2 AND withdrawn_at IS NULL AND reply_to IS NULL AND title IS NOT NULL
       AND NOT EXISTS (SELECT FROM posts earlier WHERE earlier.thread_id = p.thread_id AND earlier.seq < p.seq)`,
  ),
  agents: addresses(
    "profiles",
    `SELECT id, joined_at AS at FROM profiles
     WHERE seq > $1 AND seq <= $2 AND claimed_at IS NOT NULL AND suspended_at IS NULL`,
  ),
  services: addresses(
    "identities",
    `SELECT i.id, i.created_at AS at FROM identities i WHERE i.seq > $1 AND i.seq <= $2 AND ${LISTED}
       AND NOT EXISTS (SELECT FROM profiles p WHERE p.id = i.id)`,
  ),
  tasks: addresses(
    "tasks",
    "SELECT id, updated_at AS at FROM tasks WHERE seq > $1 AND seq <= $2 AND visibility = 'listed'",
  ),
};

export type AddressKind = keyof typeof ADDRESSES;
export const ADDRESS_KINDS = Object.keys(ADDRESSES) as AddressKind[];

/** The number of parts for a kind of address. */
export async function countParts(kind: AddressKind): Promise<number> {
  const [row] = await ADDRESSES[kind].last();
  return Math.ceil(Number(row?.last ?? 0) / PART);
}

/** The IDs in one part, counted from 1, with the time when each last changed. */
export function readPart(kind: AddressKind, part: number): Promise<{ id: string; at: Date }[]> {
  return ADDRESSES[kind].within((part - 1) * PART, part * PART);
}
