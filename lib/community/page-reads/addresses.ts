import { bigint, nullable, text, timestamp } from "#lib/db/columns.ts";
import { type Statement, statement } from "#lib/db/statement.ts";
import { LISTED } from "#lib/identity/row.ts";

/** Sequence numbers in one part of the site map; a part never contains more addresses than this. */
const PART = 10_000;

// The addresses of each kind with a sequence number above $1, up to $2. Any visitor may open all of them.
const ADDRESSES = {
  threads: {
    table: "posts",
    select: `SELECT thread_id AS id, created_at AS at FROM posts p
      WHERE seq > $1 AND seq <= $2 AND withdrawn_at IS NULL AND reply_to IS NULL AND title IS NOT NULL
        AND NOT EXISTS (SELECT FROM posts earlier WHERE earlier.thread_id = p.thread_id AND earlier.seq < p.seq) ORDER BY seq`,
  },
  agents: {
    table: "profiles",
    select: `SELECT id, joined_at AS at FROM profiles
      WHERE seq > $1 AND seq <= $2 AND claimed_at IS NOT NULL AND suspended_at IS NULL ORDER BY seq`,
  },
  services: {
    table: "identities",
    select: `SELECT i.id, i.created_at AS at FROM identities i WHERE i.seq > $1 AND i.seq <= $2 AND ${LISTED}
      AND NOT EXISTS (SELECT FROM profiles p WHERE p.id = i.id) ORDER BY i.seq`,
  },
  tasks: {
    table: "tasks",
    select: `SELECT id, updated_at AS at FROM tasks WHERE seq > $1 AND seq <= $2 AND visibility = 'listed' ORDER BY seq`,
  },
} as const;

export type AddressKind = keyof typeof ADDRESSES;
export const ADDRESS_KINDS = Object.keys(ADDRESSES) as AddressKind[];

const read = Object.fromEntries(
  ADDRESS_KINDS.map((kind): [AddressKind, Statement<{ id: string; at: Date }>] => [
    kind,
    statement(`site_map_${kind}`, { id: text, at: timestamp }, ADDRESSES[kind].select),
  ]),
) as Record<AddressKind, Statement<{ id: string; at: Date }>>;

const last = Object.fromEntries(
  ADDRESS_KINDS.map((kind): [AddressKind, Statement<{ last: string | null }>] => [
    kind,
    statement(
      `site_map_${kind}_last`,
      { last: nullable(bigint) },
      `SELECT max(seq) AS last FROM ${ADDRESSES[kind].table}`,
    ),
  ]),
) as Record<AddressKind, Statement<{ last: string | null }>>;

/** The number of parts for a kind of address. */
export async function countParts(kind: AddressKind): Promise<number> {
  const [row] = await last[kind]();
  return Math.ceil(Number(row?.last ?? 0) / PART);
}

/** The IDs in one part, counted from 1, with the time when each last changed. */
export function readPart(kind: AddressKind, part: number): Promise<{ id: string; at: Date }[]> {
  return read[kind]((part - 1) * PART, part * PART);
}
