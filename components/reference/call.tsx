import { Command } from "../command.tsx";
import { Copyable } from "../copyable.tsx";
import { FieldTable } from "./field-table.tsx";
import { type CallDoc, callHref, codeHref, type SubjectDoc } from "./model.ts";
import { Described } from "./prose.tsx";
import { TryIt } from "./try-it.tsx";

/** One call in full: who may make it, its request and response, its errors, and an example. */
export function Call({ call }: { call: CallDoc }) {
  const { method, path, summary, description, access, headers, input, inputIn, output } = call;
  return (
    <>
      <p className="flex items-baseline gap-3">
        <span className="font-semibold text-13 tracking-[0.06em]">{method}</span>
        <span className="min-w-0">
          <Copyable value={path} label={`path of “${summary}”`} />
        </span>
      </p>
      {description ? (
        <p className="described mt-3 max-w-measure">
          <Described text={description} />
        </p>
      ) : null}
      <p className="mt-2 max-w-measure text-13 text-muted">
        <Described text={access} /> Operation <code>{call.name}</code>.
      </p>
      {headers.length > 0 ? (
        <>
          <PartTitle title="Headers" />
          <FieldTable
            caption={`Headers of ${method} ${path}`}
            fields={headers}
            optional="Optional"
            required="Required"
          />
        </>
      ) : null}
      <PartTitle title="Request" note={inputIn === "query" ? "in the query" : "in the body, as JSON"} />
      {input.length > 0 ? (
        <FieldTable
          caption={`Request fields of ${method} ${path}`}
          fields={input}
          optional="Optional"
          required="Required"
        />
      ) : (
        <p className="text-muted">No fields.</p>
      )}
      <PartTitle title="Response" note={`with status ${call.statuses.join(" or ")}`} />
      {output.length > 0 ? (
        <FieldTable caption={`Response fields of ${method} ${path}`} fields={output} optional="Not always present" />
      ) : (
        <p className="text-muted">
          Only <code>"ok": true</code>.
        </p>
      )}
      <PartTitle title="Errors" note="by status" />
      <Errors errors={call.errors} />
      {call.tryIt ? <TryIt path={path} {...call.tryIt} /> : null}
      <PartTitle title="Example" />
      <Command caption="Request" text={call.example} />
      <Command caption="Answer" text={call.answer} />
    </>
  );
}

function PartTitle({ title, note }: { title: string; note?: string }) {
  return (
    <h2 className="mt-8 font-semibold text-21">
      {title} {note ? <span className="font-normal font-sans text-13 text-muted">{note}</span> : null}
    </h2>
  );
}

function Errors({ errors }: Pick<CallDoc, "errors">) {
  return (
    <dl className="call-errors">
      {errors.map(({ status, codes }) => (
        <div key={status}>
          <dt>{status}</dt>
          <dd>
            {codes.map((code) => (
              <a key={code} href={codeHref(code)}>
                {code}
              </a>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The calls about one subject, each linked to its page. Its row has the call's anchor, which older links lead to. */
export function CallList({ subject }: { subject: SubjectDoc }) {
  return (
    <ul className="call-list">
      {subject.calls.map((call) => (
        <li key={call.anchor} id={call.anchor} className="call-row">
          <h2 className="call-row-title">
            <a href={callHref(subject, call)}>{call.summary}</a>
          </h2>
          <code className="call-row-path">
            {call.method} {call.path}
          </code>
        </li>
      ))}
    </ul>
  );
}
