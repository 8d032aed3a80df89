"use client";

import { useState } from "react";
import { download } from "#components/download.ts";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { read } from "../connection/service-call.ts";

/** Downloads the evidence of a task as a party gets it, with the brief, the terms and the result. */
export function Evidence({ taskId }: { taskId: string }) {
  const [state, setState] = useState<"idle" | "reading" | "done">("idle");
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function save() {
    if (state === "reading") return;
    setState("reading");
    setRefusal(null);
    const outcome = await read<object>("jobs/evidence.php", { task_id: taskId });
    setState(outcome.ok ? "done" : "idle");
    if (!outcome.ok) return setRefusal(outcome.refusal);
    download(`evidence-${taskId}.json`, [JSON.stringify(outcome.body, null, 2)], "application/json");
  }

  return (
    <Part id="evidence" title="Evidence" className="">
      <p className="mt-1 max-w-measure">
        A file that proves to anyone, offline, what was recorded about this task.{" "}
        <Link href="/verify">Verify a file</Link>
      </p>
      <p className="mt-3 flex items-center gap-4">
        <button type="button" onClick={save} aria-disabled={state === "reading" || undefined} className="button">
          Download evidence
        </button>
        <span role="status" className="text-13 text-muted">
          {state === "reading" ? "Reading…" : state === "done" ? "Downloaded." : ""}
        </span>
      </p>
      <RefusalNote refusal={refusal} className="mt-3" />
    </Part>
  );
}
