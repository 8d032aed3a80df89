import { type DragEvent, useEffect, useId, useState } from "react";
import type { z } from "zod";
import { Button } from "#components/button.tsx";
import { Copyable } from "#components/copyable.tsx";
import { download } from "#components/download.ts";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { sizeOf } from "#components/named-files.tsx";
import { Part } from "#components/part.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { FileAnswer, FilesAnswer, FileWire } from "#lib/tasks/files/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { type Outcome, refuse } from "../../../browser/call.ts";
import { StepDialog } from "../../../browser/step-dialog.tsx";
import { useConnection } from "../connection/connection.ts";
import { read, write } from "../connection/service-call.ts";
import { refreshAll, useResource } from "../connection/use-resource.ts";
import { fetchFile, mayBePicture, pictureOf, uploadFile } from "./file-transfer.ts";
import { isParty } from "./whole-task.ts";

type Page = z.output<typeof FilesAnswer>;

const SHOWN = 100;
const PACE = { everySeconds: 30, minSeconds: 0 };
const keyOf = (taskId: string) => `files:${taskId}`;

/** The files of a task; none where this installation has no files. */
export function useFiles(taskId: string): { files: FileWire[]; isOffered: boolean } {
  const load = async (): Promise<Outcome<Page & { isOffered: boolean }>> => {
    const found = await read<Page>("jobs/files.php", { task_id: taskId, limit: SHOWN });
    if (found.ok) return { ok: true, body: { ...found.body, isOffered: true } };
    return found.refusal.code === "not_found"
      ? { ok: true, body: { files: [], next_cursor: null, isOffered: false } }
      : found;
  };
  const { body } = useResource(keyOf(taskId), load, PACE);
  return { files: body?.files ?? [], isOffered: body?.isOffered ?? false };
}

/** What this identity can upload to the task now, if anything. */
function purposeFor({ state, parties }: TaskWire, publicId: string | null): FileWire["purpose"] | undefined {
  if (parties.requester.public_id === publicId && (state === "open" || state === "claimed")) return "brief";
  return parties.provider?.public_id === publicId && state === "in_progress" ? "result" : undefined;
}

const BEFORE_SUBMISSION: readonly TaskWire["state"][] = ["open", "claimed", "proposed", "accepted", "in_progress"];

/** The files of a task, for its parties: to upload by dropping them, to download, to look at, and to remove. */
export function FilesPart({ task }: { task: TaskWire }) {
  return isParty(task) ? <Files task={task} /> : null;
}

function Files({ task }: { task: TaskWire }) {
  const { publicId } = useConnection();
  const { files, isOffered } = useFiles(task.task_id);
  const purpose = purposeFor(task, publicId);
  const missing = (task.expected_files ?? []).filter(
    ({ name, sha256 }) => !files.some((file) => file.state === "kept" && file.name === name && file.sha256 === sha256),
  );
  if (!isOffered || (files.length === 0 && !purpose && missing.length === 0))
    return <p className="max-w-measure text-17 text-muted">There are no files.</p>;
  return (
    <Part id="files" title="Files" className="">
      {missing.length > 0 ? (
        <p className="mb-3 max-w-measure border-caution border-s-2 ps-4">
          Nobody can claim the task until these files have arrived:{" "}
          {missing.map(({ name }, index) => (
            <span key={name}>
              {index > 0 ? ", " : ""}
              <UserText text={name} />
            </span>
          ))}
          .
        </p>
      ) : null}
      <ul className="space-y-4">
        {files.map((file) => (
          <OneFile
            key={file.file_id}
            file={file}
            canRemove={file.uploaded_by === publicId && BEFORE_SUBMISSION.includes(task.state)}
          />
        ))}
      </ul>
      {purpose ? <Upload taskId={task.task_id} purpose={purpose} /> : null}
      <p className="mt-3 max-w-measure text-13 text-muted">
        Only the parties can see the files, and the administrator in a dispute. Their names, sizes and hashes stay in
        the record; some time after the task’s end the files themselves are removed.
      </p>
    </Part>
  );
}

function OneFile({ file, canRemove }: { file: FileWire; canRemove: boolean }) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [picture, setPicture] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  useEffect(() => () => void (picture && URL.revokeObjectURL(picture)), [picture]);

  async function withBytes(use: (bytes: Blob) => Promise<void> | void) {
    if (isReading) return;
    setReading(true);
    setRefusal(null);
    const found = await fetchFile(file.file_id);
    if (found.ok) await use(found.body);
    else setRefusal(found.refusal);
    setReading(false);
  }

  async function show(bytes: Blob) {
    const shown = await pictureOf(bytes);
    if (shown) setPicture(URL.createObjectURL(shown));
    else setRefusal(refuse("This browser cannot show the file as a picture. Download it.", {}).refusal);
  }

  const isKept = file.state === "kept";
  return (
    <li className="[overflow-wrap:anywhere]">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <UserText text={file.name} className="font-semibold" />
        <span className="text-13 text-muted">
          {file.purpose === "brief" ? "from the requester" : "from the provider"}, {sizeOf(file.size)}
          {isKept ? "" : ", removed"}
        </span>
      </p>
      <p className="text-13">
        <Copyable value={file.sha256} label={`hash of ${file.name}`} />
      </p>
      {isKept ? (
        <p className="mt-1 flex flex-wrap items-center gap-3">
          <Button onClick={() => void withBytes((bytes) => download(file.name, [bytes], "application/octet-stream"))}>
            Download<span className="sr-only"> {file.name}</span>
          </Button>
          {mayBePicture(file) && !picture ? (
            <Button onClick={() => void withBytes(show)}>
              Preview<span className="sr-only"> {file.name}</span>
            </Button>
          ) : null}
          {canRemove ? (
            <StepDialog
              label="Remove"
              title={`Remove ${file.name}?`}
              action="Remove"
              danger
              send={() => write<z.output<typeof FileAnswer>>("jobs/remove_file.php", { file_id: file.file_id })}
              done={() => refreshAll("files:")}
            >
              <p>Nobody can download it any more. Its name, size and hash stay in the record.</p>
            </StepDialog>
          ) : null}
          <span role="status" className="text-13 text-muted">
            {isReading ? "Reading…" : ""}
          </span>
        </p>
      ) : null}
      {picture ? (
        // biome-ignore lint/performance/noImgElement: a picture from this tab, which no server can scale
        <img src={picture} alt={`Preview of ${file.name}`} className="mt-2 max-h-96 max-w-full border border-rule" />
      ) : null}
      <RefusalNote refusal={refusal} className="mt-2" />
    </li>
  );
}

type Sending = { name: string; share: number; refusal?: Refusal };

function Upload({ taskId, purpose }: { taskId: string; purpose: FileWire["purpose"] }) {
  const id = useId();
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [isOver, setOver] = useState(false);
  const change = (name: string, next: Partial<Sending> | null) =>
    setSending((all) => {
      const others = all.filter((each) => each.name !== name);
      const before = all.find((each) => each.name === name) ?? { name, share: 0 };
      return next === null ? others : [...others, { ...before, ...next }];
    });

  /** One after the other, so that each has the whole line. */
  async function send(files: Iterable<File>) {
    for (const file of [...files]) {
      change(file.name, { share: 0, refusal: undefined });
      const sent = await uploadFile({ taskId, purpose, file }, (share) => change(file.name, { share }));
      change(file.name, sent.ok ? null : { refusal: sent.refusal });
      refreshAll(keyOf(taskId));
    }
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void send(event.dataTransfer.files);
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is an extra way; the field inside is for everyone */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={`mt-4 border-2 border-dashed p-4 ${isOver ? "border-accent bg-wash" : "border-rule"}`}
      >
        <label htmlFor={id} className="mb-1 block font-semibold">
          {purpose === "brief" ? "Add files to the brief" : "Add files of the result"}
        </label>
        <input
          id={id}
          type="file"
          multiple
          aria-describedby={`${id}-hint`}
          className="block w-full max-w-full text-15"
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = "";
            void send(files);
          }}
        />
        <p id={`${id}-hint`} className="mt-1 text-13 text-muted">
          Choose files, or drop them here. At most 25 MiB each, 20 files and 100 MiB in all.
        </p>
      </div>
      <ul className="mt-3 space-y-2 empty:hidden" aria-label="Uploads">
        {sending.map(({ name, share, refusal }) => (
          <li key={name}>
            <UserText text={name} className="[overflow-wrap:anywhere]" />
            {refusal ? (
              <RefusalNote refusal={refusal} />
            ) : (
              <progress className="block w-full max-w-80" max={1} value={share} aria-label={`Upload of ${name}`} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
