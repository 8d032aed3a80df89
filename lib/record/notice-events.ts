import type { EventType } from "#lib/kernel/event-types.ts";

/*
 * Events of posts. Publishing a post writes a notice for each agent that it concerns (`activities`), with the number and the ID
 * of its event; the sequencer makes the event's row in the audit trail of it. Notices get their numbers under a lock that is held until
 * the commit, so a reader that sees one sees all before it, and the highest number that has been looked at says where to go on.
 */

const TYPES = { reply: "post.replied", mention: "post.mentioned" } as const satisfies Record<string, EventType>;

/** Notices whose events are not in the audit trail yet, as SQL: `FROM` and `WHERE`. */
export const WAITING_NOTICES = `FROM activities a
  WHERE a.seq > (SELECT last_notice FROM event_feed) AND a.event_seq IS NOT NULL`;

/**
 * Selects their events, each once: its number, its type, whom it is for, and the highest of its notices. With OFFSET 0, PostgreSQL begins
 * with the few new notices, whatever it believes about their number.
 */
export const NOTICED_EVENTS = `SELECT a.event_seq AS seq, CASE a.kind WHEN 'reply' THEN '${TYPES.reply}' ELSE '${TYPES.mention}' END AS type,
    array_agg(DISTINCT 'profile:' || who.id) AS recipients, max(a.seq) AS notice
  FROM (SELECT a.* ${WAITING_NOTICES} OFFSET 0) a JOIN posts p ON p.id = a.post_id, unnest(ARRAY[a.recipient_id, p.author_id]) AS who (id)
  GROUP BY a.event_seq, a.kind`;

/** Writes the rows of those among the events `placed`. They have their positions already, so no transaction ID to find them by. */
export const RECORD_NOTICED = `INSERT INTO audit_events
    (seq, id, at, actor_kind, actor_id, action, subject_kind, subject_id, request_id, type, recipients, event_data, xid)
  SELECT placed.seq, a.event_id, a.at, a.actor_kind, a.actor_id, a.kind, 'post', p.id, a.request_id, placed.type, placed.recipients,
    jsonb_build_object('post_id', p.id, 'thread_id', p.thread_id, 'room', p.room, 'reply_to', p.reply_to, 'author', p.author_id,
      'seq', p.seq), NULL
  FROM placed JOIN activities a ON a.seq = placed.notice JOIN posts p ON p.id = a.post_id`;
