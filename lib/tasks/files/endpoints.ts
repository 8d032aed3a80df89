import { isDomainProved } from "#lib/kernel/actor.ts";
import { defineEndpoint } from "#lib/kernel/endpoint.ts";
import { env } from "#lib/kernel/env.ts";
import { downloadFile } from "./download.ts";
import { readFiles } from "./list.ts";
import { removeFile } from "./remove.ts";
import { DownloadInput, FileAnswer, FilesAnswer, FilesInput, RemoveFileInput, UploadInput } from "./schema.ts";
import { uploadFile } from "./upload.ts";

const OF_FILES = { tag: "Files", live: () => env().files } as const;

const jobsFiles = defineEndpoint({
  ...OF_FILES,
  method: "GET",
  path: "/api/v1/jobs/files.php",
  summary: "List the files of a task",
  description:
    "Newest first, with their hashes; removed files are listed too. Only the task's parties can see them. Download one with GET /api/v1/jobs/files/{file}.",
  auth: "service",
  scope: "read",
  input: FilesInput,
  output: FilesAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found"],
  run: readFiles,
});

const jobsRemoveFile = defineEndpoint({
  ...OF_FILES,
  method: "POST",
  path: "/api/v1/jobs/remove_file.php",
  summary: "Remove a file",
  description:
    "The party that uploaded a file can remove its bytes until the result is submitted. Its name, size and hash stay, and its state is removed.",
  auth: "service",
  scope: "side",
  input: RemoveFileInput,
  output: FileAnswer,
  status: 200,
  untrusted: true,
  errors: ["not_found", "forbidden", "state_conflict"],
  run: removeFile,
});

/** Calls whose body or answer is a file. Their last part of the path is the field that `pathField` names. */
const FILE_PATH = "/api/v1/jobs/files/{file}";

const jobsFilesUpload = defineEndpoint({
  ...OF_FILES,
  method: "PUT",
  path: FILE_PATH,
  transfer: "upload",
  pathField: "file_name",
  summary: "Upload a file",
  description:
    "The body is the file's bytes, at most 25 MiB, with its Content-Length. The requester uploads files with the purpose brief until terms are proposed; the provider uploads files with the purpose result while it works. A task has at most 20 files and 100 MiB of each purpose, and an identity 1 GiB in all. Sending the same bytes again gives the same answer; other bytes under the same name replace the file, unless a submission names it. An interrupted upload leaves nothing: send the file again.",
  auth: "service",
  scope: "side",
  limit: "file_upload_unverified",
  hasUsualLimit: async (actor) => actor.kind === "service" && isDomainProved(actor.domainStatus),
  input: UploadInput,
  output: FileAnswer,
  status: 201,
  untrusted: true,
  errors: [
    "not_found",
    "forbidden",
    "state_conflict",
    "task_expired",
    "gate_refused",
    "quota_exceeded",
    "body_too_large",
  ],
  run: uploadFile,
});

const jobsFilesDownload = defineEndpoint({
  ...OF_FILES,
  method: "GET",
  path: FILE_PATH,
  transfer: "download",
  pathField: "file_id",
  summary: "Download a file",
  description:
    "The bytes, as an attachment that browsers do not open. Only the task's parties can download its files, and an administrator while the task is disputed. Compare what you get with the file's sha256. Range asks for a part; If-None-Match with the digest is answered 304.",
  auth: "service_or_administrator",
  scope: "read",
  input: DownloadInput,
  output: FileAnswer,
  status: 200,
  errors: ["not_found", "file_removed"],
  run: downloadFile,
});

export const fileEndpoints = [jobsFiles, jobsRemoveFile];
export const fileTransfers = [jobsFilesUpload, jobsFilesDownload];
