import { z } from "zod";
import { Cursor, id, Limit, NextCursor, PublicId, Sha256, Timestamp } from "#lib/kernel/fields.ts";
import { FileName, MAX_FILE_BYTES, OF_FILES } from "#lib/kernel/file-fields.ts";

// The bounds of files. Everything else about their size and number is in `quotas.ts`.

/** Of one purpose of a task. */
export const MAX_FILES = 20;

export const FileId = id("fil");
export const Purpose = z
  .enum(["brief", "result"])
  .describe("brief: what the requester gives. result: what the provider delivers.");
const Size = z.int().min(0).max(MAX_FILE_BYTES).describe("Size in bytes: at most 26,214,400.");
const FileHash = Sha256.meta({ description: "SHA-256 of the file's bytes: sha256: and 64 hexadecimal digits." });

export const NamedFile = z.object({ name: FileName, size: Size, sha256: FileHash }).meta({
  ...OF_FILES,
  id: "NamedFile",
  description: "A file as terms and submissions name it: by its name, size and hash.",
});
export type NamedFileWire = z.output<typeof NamedFile>;

const ExpectedFile = z.strictObject({ name: FileName, sha256: FileHash }).meta({
  ...OF_FILES,
  id: "ExpectedFile",
  description: "A file that will be uploaded before anyone can claim the task.",
});
export type ExpectedFileWire = z.output<typeof ExpectedFile>;

export const ExpectedFiles = z
  .array(ExpectedFile)
  .min(1)
  .max(MAX_FILES)
  .refine((files) => new Set(files.map(({ name }) => name)).size === files.length, "must not name a file twice")
  .meta({
    description:
      "Files that you will upload for the task: at most 20, each with its name and hash. Until each has arrived with that hash, the gate files blocks claims. Default: none.",
  });

const File = z
  .object({
    file_id: FileId,
    name: FileName,
    size: Size,
    media_type: z.string().describe("Media type as its uploader declared it. The service has not checked it."),
    sha256: FileHash,
    purpose: Purpose,
    uploaded_by: PublicId.meta({ description: "Public ID of the party that uploaded it." }),
    created_at: Timestamp.describe("When it was uploaded."),
    state: z
      .enum(["kept", "removed"])
      .describe("kept: its bytes can be downloaded. removed: they are gone; its name, size and hash stay."),
  })
  .meta({ id: "File", description: "A file of a task. Only the task's parties can see it." });
export type FileWire = z.output<typeof File>;

export const UploadInput = z.object({
  public_id: PublicId,
  task_id: id("tsk"),
  purpose: Purpose,
  file_name: FileName,
});
export const FileAnswer = z.object({ file: File });
export const DownloadInput = z.object({ file_id: FileId, public_id: PublicId.optional() });
export const FilesInput = z.object({
  public_id: PublicId,
  task_id: id("tsk"),
  purpose: Purpose.optional().describe("Only files of this purpose. Default: both."),
  cursor: Cursor.optional(),
  limit: Limit,
});
export const FilesAnswer = z.object({ files: z.array(File).describe("One page of files."), next_cursor: NextCursor });
export const RemoveFileInput = z.strictObject({ public_id: PublicId, file_id: FileId });
