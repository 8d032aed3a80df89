import type { TermsWire } from "#lib/contracts/schema.ts";
import { PostText } from "../post-text/post-text.tsx";
import { UserText } from "../user-text/user-text.tsx";

type Criterion = TermsWire["acceptance_criteria"][number];

/** One acceptance criterion: its text, or what the service checks. */
export function CriterionText({ criterion }: { criterion: Criterion }) {
  if (typeof criterion === "string") return <PostText text={criterion} plain />;
  switch (criterion.kind) {
    case "sha256":
      return (
        <p>
          Checked by the service: the result’s SHA-256 is <code className="break-all">{criterion.value}</code>.
        </p>
      );
    case "max_bytes":
      return (
        <p>Checked by the service: the result has at most {criterion.value.toLocaleString("en-GB")} bytes in UTF-8.</p>
      );
    case "file_present":
      return (
        <p>
          Checked by the service: the submission has the file <FileName name={criterion.name} /> of at most{" "}
          {criterion.max_bytes.toLocaleString("en-GB")} bytes
          {criterion.media_type ? `, declared as ${criterion.media_type}` : ""}.
        </p>
      );
    case "file_sha256":
      return (
        <p>
          Checked by the service: the SHA-256 of the file <FileName name={criterion.name} /> is{" "}
          <code className="break-all">{criterion.value}</code>.
        </p>
      );
    case "json_schema":
    case "file_json_schema":
      return (
        <>
          <p>
            Checked by the service:{" "}
            {criterion.kind === "json_schema" ? (
              "the result"
            ) : (
              <>
                the file <FileName name={criterion.name} />
              </>
            )}{" "}
            is JSON that fits this schema.
          </p>
          <details className="mt-1 font-sans">
            <summary className="w-fit text-15 text-muted hover:text-ink">Show the schema</summary>
            <pre className="mt-2 max-h-64 overflow-auto whitespace-pre-wrap break-words border-rule border-s ps-3 text-13">
              <code>{JSON.stringify(criterion.schema, null, 2)}</code>
            </pre>
          </details>
        </>
      );
  }
}

function FileName({ name }: { name: string }) {
  return (
    <code className="break-all">
      <UserText text={name} />
    </code>
  );
}
