import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Pool } from "pg";
import { newId } from "#lib/kernel/ids.ts";

/*
 * What the service is compared with: the least that can answer over the same database. One prepared statement for each endpoint, its
 * rows as JSON; no authentication, no validation, no limits. A write writes the same rows, in one statement and so in one transaction.
 * In comparison with a page, `/bytes?count=N` sends N bytes.
 */

// Planned once for each connection: the plans of the statements below are good for all values.
const options = "-c plan_cache_mode=force_generic_plan";
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 24, options });

const TASK = `t.id, t.title, t.summary, t.skill, t.budget_pence, t.visibility, t.payment_mode, t.state, t.created_at, t.updated_at, t.expires_at,
  t.requester_id, r.name AS requester_name, r.domain_status AS requester_domain,
  t.selected_provider_id, s.name AS selected_name, s.domain_status AS selected_domain,
  t.provider_id, p.name AS provider_name, p.domain_status AS provider_domain,
  c.id AS contract_id, c.state AS contract_state, c.terms_hash, c.amount_pence, c.requester_accepted_at, c.provider_accepted_at`;

const TASK_JOINS = `JOIN identities r ON r.id = t.requester_id
  LEFT JOIN identities s ON s.id = t.selected_provider_id
  LEFT JOIN identities p ON p.id = t.provider_id
  LEFT JOIN contracts c ON c.task_id = t.id AND c.state <> 'declined'`;

const WHOLE_TASK = `${TASK}, t.brief, t.result, t.result_url, t.evidence_hash, t.held_at, l.id AS settlement_id, d.id AS dispute_id`;
const WHOLE_TASK_JOINS = `${TASK_JOINS}
  LEFT JOIN settlements l ON l.contract_id = c.id
  LEFT JOIN disputes d ON d.task_id = t.id AND d.state = 'open'`;

const POST = `p.id, p.seq, p.thread_id, p.room, p.reply_to, p.title, p.body, p.reply_count, p.created_at, p.withdrawn_at, a.id AS author_id,
  a.name AS author_name, a.framework, a.country_code, i.domain_status`;
const AUTHORS = "JOIN profiles a ON a.id = p.author_id LEFT JOIN identities i ON i.id = a.id";
// In a SELECT of its own the words are parsed once, and not for each row.
const SEARCHED = "p.search @@ (SELECT plainto_tsquery('english', $1))";
const newest = (condition: string) =>
  `SELECT ${POST} FROM (SELECT * FROM posts p WHERE ${condition} ORDER BY seq DESC LIMIT 21) p ${AUTHORS} ORDER BY p.seq DESC`;

/** The row of the audit trail that is the event of a task, for a row of `source`. */
function recorded(id: string, action: "create" | "claim", type: string, source: string, recipients: string) {
  const author = action === "create" ? "requester_id" : "provider_id";
  return `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, data, request_id, type, task_id, recipients,
      event_data)
    SELECT ${id}, now(), 'service', ${author}, '${action}', 'task', id, '{"to":"${action}"}', ${id}, '${type}', id, ${recipients},
      jsonb_build_object('subject', id, 'at', now()) FROM ${source}
    RETURNING seq, task_id`;
}

/** The statement in the log about the event in `recorded`. */
function stated(n: string, previous: string, last = "") {
  const text = `concat('{"actor":"', task_id, '","at":"', now(), '","chain":"', task_id, '","event":"task","facts":{"seq":', seq,
      '},"prev":"sha256:', ${previous}, '","type":"guildhall.statement/1"}')`;
  return `INSERT INTO log_statements (event_seq, chain, n, hash, statement)
    SELECT seq, task_id, n, sha256(convert_to(text, 'UTF8')), text
    FROM (SELECT seq, task_id, ${n} AS n, ${text} AS text FROM recorded ${last}) composed`;
}

const STATEMENTS: Record<string, string> = {
  directory: `SELECT i.id, i.name, i.description, i.skills, i.endpoint, i.host, i.protocols, i.domain_status, i.verified_at, i.domain_checked_at,
      i.created_at, h.status, h.reported_at, o.offers, o.lowest
    FROM identities i LEFT JOIN health_reports h ON h.identity_id = i.id
      CROSS JOIN LATERAL (SELECT count(*)::int AS offers, min(price_pence) AS lowest FROM offers WHERE identity_id = i.id AND enabled) o
    WHERE i.public_profile AND i.state = 'active' AND i.domain_status IN ('verified', 'grace') ORDER BY i.seq DESC LIMIT 21`,
  list: `SELECT ${TASK} FROM (SELECT * FROM tasks WHERE visibility = 'listed' ORDER BY seq DESC LIMIT 21) t ${TASK_JOINS} ORDER BY t.seq DESC`,
  show: `SELECT ${WHOLE_TASK} FROM tasks t ${WHOLE_TASK_JOINS} WHERE t.id = $1`,
  inbox: `SELECT ${WHOLE_TASK} FROM (SELECT * FROM tasks WHERE selected_provider_id = $1 AND state = 'open' AND expires_at > now()
    ORDER BY seq DESC LIMIT 21) t ${WHOLE_TASK_JOINS} ORDER BY t.seq DESC`,
  heartbeat: `INSERT INTO health_reports (identity_id, status, reported_at) VALUES ($1, $2::health_status, now())
    ON CONFLICT (identity_id) DO UPDATE SET status = excluded.status, reported_at = excluded.reported_at RETURNING status, reported_at`,
  create: `WITH room AS (
      UPDATE task_allowances SET remaining = remaining - 1 WHERE requester_id = $2
    ), answer AS (
      INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
      VALUES ($2, 'jobs/create', $7, sha256($8::text::bytea), 201, $8, now())
    ), made AS (
      INSERT INTO tasks (id, requester_id, title, brief, summary, skill, budget_pence, visibility, payment_mode, client_request_id,
        created_at, updated_at, expires_at)
      VALUES ($1, $2, $3, $4, left($4, 280), $5, $6, 'listed', 'TEST', $7, now(), now(), now() + interval '7 days')
      RETURNING *
    ), recorded AS (
      ${recorded("$9", "create", "task.created", "made", "ARRAY[requester_id]")}
    ), stated AS (${stated("1", "NULL")})
    SELECT id, title, brief, summary, skill, budget_pence, visibility, payment_mode, state, requester_id, created_at, updated_at, expires_at
    FROM made`,
  claim: `WITH claimed AS (
      UPDATE tasks SET state = 'claimed', provider_id = $2, updated_at = now() WHERE id = $1 AND state = 'open' RETURNING *
    ), recorded AS (
      ${recorded("$3", "claim", "task.claimed", "claimed", "ARRAY[requester_id, provider_id]")}
    ), stated AS (
      ${stated("last.n + 1", "encode(last.hash, 'hex')", "CROSS JOIN LATERAL (SELECT n, hash FROM log_statements WHERE chain = task_id ORDER BY n DESC LIMIT 1) last")}
    )
    SELECT ${WHOLE_TASK} FROM claimed JOIN tasks t USING (id) ${WHOLE_TASK_JOINS}`,
  post: `WITH answered AS (
      UPDATE posts SET reply_count = reply_count + 1 WHERE id = $2 RETURNING id, thread_id, room, author_id
    ), author AS (
      UPDATE profiles SET post_count = post_count + 1 WHERE id = $3
    ), edge AS (
      INSERT INTO reply_edges (from_id, to_id, replies, last_at) SELECT $3, author_id, 1, now() FROM answered
      ON CONFLICT (from_id, to_id) DO UPDATE SET replies = reply_edges.replies + 1, last_at = excluded.last_at
    ), made AS (
      INSERT INTO posts (id, seq, thread_id, room, reply_to, author_id, body, created_at)
      SELECT $1, next_post_seq(), thread_id, room, id, $3, $4, now() FROM answered RETURNING *
    ), answer AS (
      INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
      SELECT $3, 'community/post', id, sha256($6::text::bytea), 201, $6, now() FROM made
    )
    INSERT INTO activities (seq, recipient_id, kind, post_id, at, event_seq, event_id, actor_kind, actor_id)
    SELECT next_activity_seq(), answered.author_id, 'reply', made.id, created_at, nextval('audit_events_seq_seq'), $5, 'profile', $3
    FROM made, answered RETURNING seq`,
  feed: newest("withdrawn_at IS NULL"),
  "feed-before": newest("withdrawn_at IS NULL AND seq < $1"),
  "feed-of-agent": newest("withdrawn_at IS NULL AND author_id = $1"),
  thread: `SELECT ${POST} FROM (SELECT * FROM posts WHERE thread_id = $1 ORDER BY seq LIMIT 21) p ${AUTHORS} ORDER BY p.seq`,
  // Each is the best plan for words of its kind, which only somebody who knows them beforehand can choose.
  "search-common": newest(`withdrawn_at IS NULL AND ${SEARCHED}`),
  "search-rare": `WITH p AS MATERIALIZED (SELECT p.* FROM posts p WHERE ${SEARCHED} ORDER BY seq + 0 DESC LIMIT 21)
    SELECT ${POST} FROM p ${AUTHORS} ORDER BY p.seq DESC`,
};

async function values(name: string, url: URL, request: IncomingMessage): Promise<unknown[]> {
  if (request.method !== "POST") return [...url.searchParams.values()];
  let text = "";
  for await (const chunk of request) text += chunk;
  const body = JSON.parse(text);
  if (name === "heartbeat") return [body.public_id, body.health_status];
  if (name === "claim") return [body.task_id, body.public_id, newId("evt")];
  if (name === "post") return [newId("pst"), body.reply_to, body.author, body.body, newId("evt"), text];
  const task = [newId("tsk"), body.public_id, body.title, body.brief, body.skill, body.budget_pence];
  return [...task, body.client_request_id, text, newId("evt")];
}

const FILES = mkdtempSync(join(tmpdir(), "guildhall-bench-"));
const pages = new Map<number, Buffer>();

function pageOf(bytes: number): Buffer {
  const page = pages.get(bytes) ?? Buffer.alloc(bytes, "page ");
  pages.set(bytes, page);
  return page;
}

const server = createServer(async (request, response) => {
  try {
    const url = new URL(request.url ?? "/", "http://localhost");
    const name = url.pathname.slice(1);
    if (name === "file") {
      const path = join(FILES, String(Number(url.searchParams.get("number"))));
      if (request.method === "PUT") {
        await pipeline(request, createWriteStream(path));
        response.writeHead(201).end("{}");
      } else {
        const { size } = await stat(path);
        await pipeline(createReadStream(path), response.writeHead(200, { "Content-Length": size }));
      }
      return;
    }
    if (name === "bytes") {
      const bytes = pageOf(Number(url.searchParams.get("count")));
      response.writeHead(200, { "Content-Type": "text/html", "Content-Length": bytes.length }).end(bytes);
      return;
    }
    const text = STATEMENTS[name];
    if (!text) throw new Error(`There is no ${name}.`);
    const { rows } = await pool.query({ name, text, values: await values(name, url, request) });
    const body = JSON.stringify({ ok: true, rows });
    response
      .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) })
      .end(body);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});

// Longer than a load leaves a connection idle while the other side has its turn.
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), "127.0.0.1");
process.once("SIGTERM", () => {
  rmSync(FILES, { recursive: true });
  process.exit();
});
