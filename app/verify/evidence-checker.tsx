"use client";

import { type DragEvent, useEffect, useRef, useState } from "react";
import { Button } from "#components/button.tsx";
import { Field } from "#components/form/field.tsx";
import { useReady } from "#components/form/send-button.tsx";
import { type Report, readLogKey } from "#sdk/verify/report.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import { type Known, ReportView } from "./report-view.tsx";

/** Larger files are refused before they are read: the largest evidence file has a few megabytes. */
const MAX_BYTES = 50 * 1024 * 1024;

type Chosen = { name: string; text: string } | { name: string; problem: string };

async function hashOf(file: File): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Verifies a file that is chosen or dropped, or a task's public evidence, and again whenever the key changes. Nothing is sent. */
export function EvidenceChecker({
  taskId,
  known,
  ownKey,
}: {
  taskId: string | undefined;
  known: Known | undefined;
  /** The key of this installation's log, unless nothing has been signed yet. */
  ownKey: string | undefined;
}) {
  const ready = useReady();
  const [chosen, choose] = useState<Chosen | null>(null);
  const [key, setKey] = useState("");
  const [own, setOwn] = useState<Record<string, string>>({});
  const [report, setReport] = useState<Report | { problem: string } | null>(null);
  const [isOver, setOver] = useState(false);
  const reading = useRef(0);

  useEffect(() => {
    if (!chosen) return;
    let current = true;
    const show = (result: Report | { problem: string }) => current && setReport(result);
    if ("problem" in chosen) show({ problem: chosen.problem });
    else
      verifyEvidence(chosen.text, { files: own, ...(key.trim() === "" ? {} : { key }) }).then(show, (error: Error) =>
        show({ problem: error.message }),
      );
    return () => {
      current = false;
    };
  }, [chosen, key, own]);

  useEffect(() => {
    if (!taskId) return;
    const abort = new AbortController();
    const name = `evidence-${taskId}.json`;
    void fetch(`/api/v1/jobs/evidence.php?task_id=${taskId}`, { signal: abort.signal, credentials: "omit" })
      .then(async (answer): Promise<Chosen> => {
        if (!answer.ok)
          return { name, problem: "This task’s evidence is not public. Choose the file that a party has." };
        return { name, text: await answer.text() };
      })
      .catch(() => ({ name, problem: "This task’s evidence could not be loaded. Reload the page to try again." }))
      .then((loaded) => {
        // A file that was chosen meanwhile stays.
        if (!abort.signal.aborted) choose((chosen) => chosen ?? loaded);
      });
    return () => abort.abort();
  }, [taskId]);

  async function read(file: File | undefined | null) {
    if (!file) return;
    reading.current += 1;
    const turn = reading.current;
    const { name, size } = file;
    const next =
      size > MAX_BYTES
        ? { name, problem: "This file is larger than any evidence file. Choose another one." }
        : await file.text().then(
            (text): Chosen => ({ name, text }),
            () => ({ name, problem: "This file cannot be read. Choose it again." }),
          );
    if (turn === reading.current) choose(next);
  }

  async function readOwn(files: FileList | null) {
    reading.current += 1;
    const turn = reading.current;
    const hashes: Record<string, string> = {};
    for (const file of files ?? []) hashes[file.name] = await hashOf(file).catch(() => "a file that cannot be read");
    if (turn === reading.current) setOwn(hashes);
  }

  async function trySample(change: (text: string) => string = (text) => text) {
    reading.current += 1;
    const turn = reading.current;
    const { default: sample } = await import("./sample.json");
    if (turn !== reading.current) return;
    setKey(sample.key);
    choose({ name: "A sample", text: change(JSON.stringify(sample.evidence)) });
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  }

  const isBadKey = key.trim() !== "" && readLogKey(key) === undefined;
  return (
    <div className="max-w-column">
      <form className="verify-form" onSubmit={(event) => event.preventDefault()}>
        <fieldset disabled={!ready} className="min-w-0 space-y-5">
          {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is an extra way; the field inside is for everyone */}
          <div
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
            className={`border-2 border-dashed p-6 ${isOver ? "border-accent bg-wash" : "border-rule"}`}
          >
            <label htmlFor="file" className="mb-2 block font-semibold">
              Evidence file
            </label>
            <input
              id="file"
              type="file"
              accept=".json,application/json"
              aria-describedby="file-hint"
              onChange={(event) => void read(event.target.files?.[0])}
              className="block w-full"
            />
            <p id="file-hint" className="mt-2 text-13 text-muted">
              Choose a file, or drop one here. It stays on your computer.
            </p>
          </div>
          <div>
            <label htmlFor="own" className="mb-2 block font-semibold">
              Files of the task
            </label>
            <input
              id="own"
              type="file"
              multiple
              aria-describedby="own-hint"
              onChange={(event) => void readOwn(event.target.files)}
              className="block w-full"
            />
            <p id="own-hint" className="mt-2 text-13 text-muted">
              Optional: files that you have, to compare with those that the evidence names. They stay on your computer.
            </p>
          </div>
          <div>
            <Field
              name="key"
              label="Key of the log"
              value={key}
              onChange={(event) => setKey(event.target.value)}
              hint="The verifier key (name+id+base64) that the platform published. Without it, the file can only be checked against itself."
              error={isBadKey ? "This is not a log’s verifier key. Copy the whole line." : undefined}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            {ownKey && key.trim() !== ownKey ? (
              <p className="mt-2">
                <Button onClick={() => setKey(ownKey)}>Use this installation’s key</Button>
              </p>
            ) : null}
            {ownKey && key.trim() === ownKey ? (
              <p className="mt-2 max-w-measure border-caution border-s-2 ps-3 text-13">
                This key comes from the website that you are reading. It proves that the file is in the log as this
                website shows it now, not that the website always showed this key: compare it with one that you, or
                someone you trust, kept from before.
              </p>
            ) : null}
          </div>
          <p className="flex flex-wrap items-center gap-3 text-13">
            No file at hand?
            <Button onClick={() => void trySample()}>Try with a sample</Button>
            <Button
              onClick={() => void trySample((text) => text.replace('"visibility":"unlisted"', '"visibility":"listed"'))}
            >
              A sample with a changed word
            </Button>
          </p>
        </fieldset>
      </form>
      <noscript>
        <p className="mt-4 text-muted">
          Verifying a file here needs JavaScript, which is off in your browser. The command line works without it.
        </p>
      </noscript>
      <div role="status" className="mt-8 min-h-24">
        {chosen && report ? <ReportView name={chosen.name} report={report} known={known} /> : null}
      </div>
    </div>
  );
}
