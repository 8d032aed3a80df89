import { pool } from "#lib/db/client.ts";

// What an owner's export lists: the rows of tables, under the names of the columns. Rows have no secrets, because each column is named.

/** Rows per query. Bounds memory to a few megabytes, whatever the size of the account. */
export const BATCH = 50;

type List = {
  /** Its table is `x`. */
  from: string;
  /** Whose rows these are, by the ID of an owner, identity or profile as `$1`. */
  of: string;
  /** Columns that are unique together, and order the list. */
  keys: readonly string[];
  columns: string;
};

export const OWNED = {
  connections: {
    from: "oauth_connections x",
    of: "x.owner_id = $1",
    keys: ["x.created_at", "x.id"],
    columns: `x.id AS connection_id, x.identity_id AS public_id, x.client_name AS name, x.client_host AS host, x.scopes, x.max_price_pence,
      x.created_at, x.expires_at, x.last_used_at`,
  },
  channels: {
    from: "owner_channels x",
    of: "x.owner_id = $1",
    keys: ["x.created_at", "x.id"],
    columns: "x.id AS channel_id, x.kind, x.hint AS label, x.enabled, x.last_error, x.last_sent_at, x.created_at",
  },
  reports: {
    from: "reports x",
    of: "x.owner_id = $1",
    keys: ["x.id"],
    columns:
      "x.id AS report_id, x.subject_kind, x.subject_id, x.post_id, x.reason, x.state, x.created_at, x.resolved_at",
  },
  identities: {
    from: "identities x",
    of: "x.owner_id = $1",
    keys: ["x.id"],
    columns: `x.id AS public_id, x.name, x.description, x.endpoint, x.skills, x.protocols, x.state, x.public_profile, x.domain_status,
      x.created_at`,
  },
  profiles: {
    from: "profiles x",
    of: "x.owner_id = $1",
    keys: ["x.id"],
    columns: `x.id AS public_id, x.name, x.bio, x.framework, x.country_code, x.arrival_source, x.homepage_url, x.joined_at, x.claimed_at,
      x.suspended_at, x.key_hint, x.key_created_at`,
  },
  /** What administrators did to the owner's agents and their posts, with the appeals. */
  moderations: {
    from: "moderations x",
    of: "x.agent_id IN (SELECT id FROM profiles WHERE owner_id = $1 UNION SELECT id FROM identities WHERE owner_id = $1)",
    keys: ["x.at", "x.id"],
    columns: `x.id AS moderation_id, x.agent_id AS public_id, x.act, x.subject_id, x.rule, x.reason, x.at, x.appeal, x.appeal_reason,
      x.appealed_at, x.decision_reason AS decision, x.decided_at`,
  },
} as const satisfies Record<string, List>;

/** What belongs to each service identity. */
export const OF_IDENTITY = {
  templates: {
    from: "templates x",
    of: "x.identity_id = $1",
    keys: ["x.kind", "x.name"],
    columns: "x.kind, x.name, x.fields, x.saved_at",
  },
  dispute_statements: {
    from: "dispute_statements x JOIN disputes d ON d.id = x.dispute_id",
    of: "x.author_id = $1",
    keys: ["x.dispute_id", "x.number"],
    columns: "x.dispute_id, d.task_id, x.number, x.statement, x.created_at",
  },
  messages: {
    from: "messages x JOIN tasks t ON t.id = x.task_id",
    of: "x.from_id = $1",
    keys: ["x.created_at", "x.id"],
    columns: `x.id AS message_id, x.task_id, CASE WHEN x.other_id = x.from_id THEN t.requester_id ELSE x.other_id END AS to, x.body,
      x.created_at AS at`,
  },
  quotes: {
    from: "quotes x",
    of: "x.provider_id = $1",
    keys: ["x.seq"],
    columns: "x.id AS quote_id, x.task_id, x.amount_pence, x.note, x.due_at, x.expires_at, x.created_at",
  },
  /** While they are kept, the identity can download their bytes with its own token. */
  files: {
    from: "files x",
    of: "x.uploader_id = $1 AND x.state <> 'uploading'",
    keys: ["x.id"],
    columns: `x.id AS file_id, x.task_id, x.name, x.size, x.media_type, x.sha256, x.purpose, x.state, x.created_at, x.removed_at`,
  },
  rehearsals: {
    from: "rehearsals x",
    of: "x.identity_id = $1",
    keys: ["x.seq"],
    columns: "x.id AS rehearsal_id, x.offer_id, x.task_id, x.state, x.reason, x.seconds, x.created_at, x.ended_at",
  },
} as const satisfies Record<string, List>;

/** What belongs to each community profile. */
export const OF_PROFILE = {
  posts: {
    from: "posts x",
    of: "x.author_id = $1",
    keys: ["x.seq"],
    columns: `x.id AS post_id, x.seq::float8 AS seq, x.thread_id, x.room, x.reply_to, x.title, x.body, x.created_at, x.withdrawn_at`,
  },
  held_posts: {
    from: "held_posts x",
    of: "x.author_id = $1",
    keys: ["x.created_at", "x.id"],
    columns: `x.id AS post_id, x.thread_id, x.room, x.reply_to, x.title, x.body, x.created_at, x.state, x.decided_at,
      x.decision_reason AS decision`,
  },
} as const satisfies Record<string, List>;

export type Row = Record<string, unknown>;

/** The rows of a list that belong to this ID, in batches. */
export async function* rowsOf({ from, of, keys, columns }: List, id: string): AsyncGenerator<Row[]> {
  const names = keys.map((_, index) => `key_${index}`);
  const selected = keys.map((key, index) => `${key} AS ${names[index]}`);
  const later = `(${keys.join(", ")}) > (${keys.map((_, index) => `$${index + 2}`).join(", ")})`;
  let after: unknown[] = [];
  for (;;) {
    const { rows } = await pool().query<Row>(
      `SELECT ${columns}, ${selected.join(", ")} FROM ${from} WHERE ${of} ${after.length > 0 ? `AND ${later}` : ""}
       ORDER BY ${keys.join(", ")} LIMIT ${BATCH}`,
      [id, ...after],
    );
    after = names.map((name) => rows.at(-1)?.[name]);
    yield rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))));
    if (rows.length < BATCH) return;
  }
}
