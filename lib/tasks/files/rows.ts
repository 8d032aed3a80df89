import * as db from "#lib/db/columns.ts";
import { namedStatement } from "#lib/db/named.ts";
import { statement } from "#lib/db/statement.ts";
import { MAX_UPLOAD_SECONDS } from "./pace.ts";
import type { FileWire, NamedFileWire } from "./schema.ts";

const FILE = {
  id: db.text.from("f.id"),
  seq: db.bigint.from("f.seq"),
  taskId: db.text.from("f.task_id"),
  uploaderId: db.text.from("f.uploader_id"),
  purpose: db.filePurpose.from("f.purpose"),
  name: db.text.from("f.name"),
  size: db.integer.from("f.size"),
  mediaType: db.text.from("f.media_type"),
  sha256: db.text.from("f.sha256"),
  state: db.only(db.fileState, "kept", "removed").from("f.state"),
  createdAt: db.timestamp.from("f.created_at"),
  submittedAt: db.nullable(db.timestamp).from("f.submitted_at"),
};
export type FileRow = db.RowOf<typeof FILE>;

const COLUMNS = db.select(FILE);
/** Files that are still arriving are not shown to anyone. */
const ARRIVED = "f.state <> 'uploading'";

export function fileView(file: FileRow): FileWire {
  return {
    file_id: file.id,
    name: file.name,
    size: file.size,
    media_type: file.mediaType,
    sha256: file.sha256,
    purpose: file.purpose,
    uploaded_by: file.uploaderId,
    created_at: file.createdAt.toISOString(),
    state: file.state,
  };
}

export const namedView = ({ name, size, sha256 }: FileRow): NamedFileWire => ({ name, size, sha256 });

export const findFile = statement("file.by_id", FILE, `SELECT ${COLUMNS} FROM files f WHERE f.id = $1 AND ${ARRIVED}`);

/** Of one task, newest first, below a `seq`; of one purpose, unless that is null. */
export const listFiles = statement(
  "file.list",
  FILE,
  `SELECT ${COLUMNS} FROM files f
   WHERE f.task_id = $1 AND f.seq < $2 AND ${ARRIVED} AND ($3::file_purpose IS NULL OR f.purpose = $3) ORDER BY f.seq DESC LIMIT $4`,
);

/** The kept files of a task and purpose, oldest first. */
export const keptFiles = statement(
  "file.kept",
  FILE,
  `SELECT ${COLUMNS} FROM files f WHERE f.task_id = $1 AND f.purpose = $2::file_purpose AND f.state = 'kept' ORDER BY f.seq`,
);

export const keptOfTask = statement(
  "file.kept_of_task",
  { id: db.text },
  "SELECT id FROM files WHERE task_id = $1 AND state = 'kept' ORDER BY id",
);

/** An upload that takes longer than the longest allowed was cut off by a crash, and no longer reserves space. */
const STORED = `(f.state = 'kept' OR f.state = 'uploading' AND f.created_at > $1::timestamptz - interval '${2 * MAX_UPLOAD_SECONDS} s')`;

/**
 * What counts against the quotas of a task: everything there is of one purpose, but for what this name will replace, or has in this size
 * already; and all rows ever.
 */
export const usedOfTask = statement(
  "file.used_of_task",
  { files: db.integer, bytes: db.bigint, ever: db.integer },
  `SELECT count(*) FILTER (WHERE counted)::int AS files, coalesce(sum(size) FILTER (WHERE counted), 0)::bigint AS bytes, count(*)::int AS ever
   FROM (
     SELECT f.size, f.purpose = $3::file_purpose AND ${STORED} AND NOT (f.state = 'kept' AND f.name = $4 AND (f.submitted_at IS NULL OR f.size = $5)) AS counted
     FROM files f WHERE f.task_id = $2
   ) AS f`,
);

export const usedByUploader = statement(
  "file.used_by_uploader",
  { bytes: db.bigint },
  "SELECT coalesce(sum(f.size), 0)::bigint AS bytes FROM files f WHERE f.uploader_id = $1 AND f.state <> 'removed'",
);

export const usedInAll = statement("file.used_in_all", { bytes: db.bigint }, "SELECT bytes FROM file_totals");

export const reserve = namedStatement(
  "file.reserve",
  { id: db.text },
  ["id", "taskId", "uploaderId", "purpose", "name", "size", "mediaType", "at"],
  `INSERT INTO files (id, task_id, uploader_id, purpose, name, size, media_type, created_at)
   VALUES (:id, :taskId, :uploaderId, :purpose::file_purpose, :name, :size, :mediaType, :at) RETURNING id`,
);

/** Ends a reservation whose upload failed. */
export const release = statement(
  "file.release",
  { id: db.text },
  "DELETE FROM files WHERE id = $1 AND state = 'uploading' RETURNING id",
);

export const keep = statement(
  "file.keep",
  FILE,
  `UPDATE files f SET state = 'kept', created_at = $2 WHERE f.id = $1 AND f.state = 'uploading' RETURNING ${COLUMNS}`,
);

/** Their rows stay. */
export const markRemoved = statement(
  "file.remove",
  { sha256: db.text },
  "UPDATE files f SET state = 'removed', removed_at = $2 WHERE f.id = ANY ($1::text[]) AND f.state = 'kept' RETURNING f.sha256",
);

export const markSubmitted = statement(
  "file.submit",
  { id: db.text },
  "UPDATE files SET submitted_at = coalesce(submitted_at, $2) WHERE id = ANY ($1::text[]) RETURNING id",
);

/** Kept files of tasks that ended before `$1`. */
export const dueFiles = statement(
  "file.due",
  { id: db.text },
  `SELECT f.id FROM files f JOIN tasks t ON t.id = f.task_id
   WHERE f.state = 'kept' AND f.created_at < $1 AND t.state >= 'completed' AND t.updated_at < $1 ORDER BY f.created_at, f.id LIMIT $2`,
);

export const staleUploads = statement(
  "file.stale",
  { id: db.text },
  "DELETE FROM files WHERE state = 'uploading' AND created_at < $1 RETURNING id",
);
