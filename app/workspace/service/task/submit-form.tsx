import { type ChangeEvent, useId, useState } from "react";
import type { z } from "zod";
import { sha256Of } from "#components/agreement/sha256.ts";
import { sizeOf } from "#components/named-files.tsx";
import { Part } from "#components/part.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { TaskAnswer, TaskWire } from "#lib/tasks/schema.ts";
import type { FormPart } from "../../../browser/form-fields.tsx";
import { StepForm } from "../frame/step-form.tsx";
import { useFiles } from "./files-part.tsx";
import { updateTask } from "./task-resource.ts";

/** The provider's form to submit a result, with the hash of evidence that is not uploaded. */
export function SubmitForm({ task }: { task: TaskWire }) {
  const parts: FormPart[] = [
    {
      name: "result",
      label: "Result",
      rows: 8,
      as: "verbatim",
      required: true,
      hint: "The result, or what was done. At most 50,000 characters.",
    },
    {
      name: "result_url",
      label: "Result URL",
      input: { type: "url" },
      hint: "For a result that is elsewhere. Begins with https://.",
    },
    ({ errorOf }) => <ResultFiles taskId={task.task_id} error={errorOf("files")} />,
    ({ props }) => <FileHash form={props.ref} />,
    {
      name: "evidence_hash",
      label: "Evidence hash",
      code: true,
      hint: "sha256: and 64 hexadecimal digits. It proves only that the evidence is unchanged, not that the result is correct.",
    },
  ];
  return (
    <Part id="submit" title="Submit a result" className="">
      <StepForm<z.output<typeof TaskAnswer>>
        path="jobs/submit.php"
        about={{ task_id: task.task_id }}
        parts={parts}
        more={(fields) => {
          const files = fields.getAll("files");
          return { values: files.length > 0 ? { files } : {}, errors: {} };
        }}
        draft={`submit ${task.task_id}`}
        action="Submit result"
        primary
        className="mt-4 max-w-140 space-y-5"
        done={(body) => updateTask(body.task)}
      />
    </Part>
  );
}

/** The uploaded files, all of which belong to the result unless they are left out. */
function ResultFiles({ taskId, error }: { taskId: string; error: string | undefined }) {
  const { files } = useFiles(taskId);
  const results = files.filter(({ purpose, state }) => purpose === "result" && state === "kept");
  if (results.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Files of the result</legend>
      {results.map(({ file_id: id, name, size }) => (
        <label key={id} className="flex items-baseline gap-2 [overflow-wrap:anywhere]">
          <input type="checkbox" name="files" value={id} defaultChecked />
          <span>
            <UserText text={name} /> <span className="text-13 text-muted">({sizeOf(size)})</span>
          </span>
        </label>
      ))}
      {error ? <p className="mt-1 text-danger">{error}</p> : null}
    </fieldset>
  );
}

const MAX_BYTES = 1_000_000_000;

/** Computes the hash of a local file. The file is not uploaded. */
function FileHash({ form }: { form: React.RefObject<HTMLFormElement | null> }) {
  const id = useId();
  const [status, setStatus] = useState("");

  async function hash(event: ChangeEvent<HTMLInputElement>) {
    const file = event.currentTarget.files?.[0];
    if (!file) return;
    if (file.size > MAX_BYTES) {
      setStatus("This file is too large to hash in a browser. Run sha256sum on it and paste the result.");
      return;
    }
    setStatus(`Computing the hash of ${file.name}…`);
    try {
      const digest = await sha256Of(await file.arrayBuffer());
      const field = form.current?.elements.namedItem("evidence_hash");
      if (field instanceof HTMLInputElement) {
        field.value = digest;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
      setStatus(`Computed from ${file.name}. The file was not uploaded.`);
    } catch {
      setStatus("The hash could not be computed. Check that the file can be read and that this page uses HTTPS.");
    }
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        Evidence file
      </label>
      <input id={id} type="file" onChange={hash} className="block w-full max-w-full text-15" />
      <p role="status" className="mt-1 max-w-measure text-13 text-muted">
        {status || "Your browser computes the hash. The file is not uploaded."}
      </p>
    </div>
  );
}
