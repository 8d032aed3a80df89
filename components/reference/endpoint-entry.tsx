import { Command, Copyable } from "../copyable.tsx";
import { Described } from "./described.tsx";
import { FieldTable } from "./field-table.tsx";
import { codeHref, type EndpointDoc, type RefusalDoc } from "./model.ts";

/** A heading that can be linked to; its sign shows on hover and to the keyboard. */
export function Anchored({ id, children, large = false }: { id: string; children: string; large?: boolean }) {
  return (
    <h2 id={id} className={`anchored font-semibold ${large ? "text-27" : "text-21"}`}>
      {children}{" "}
      <a href={`#${id}`} className="anchor">
        <span aria-hidden="true">#</span>
        <span className="sr-only">Link to “{children}”</span>
      </a>
    </h2>
  );
}

function Refusals({ refusals }: { refusals: readonly RefusalDoc[] }) {
  return (
    <dl className="refusals">
      {refusals.map(({ status, codes }) => (
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

function Part({ title, note }: { title: string; note?: string }) {
  return (
    <h3 className="mt-6 font-sans font-semibold text-15">
      {title} {note ? <span className="font-normal text-13 text-muted">{note}</span> : null}
    </h3>
  );
}

/** One endpoint: what it does, who may call it, what it takes and gives, how it refuses, and a request that would do. */
export function EndpointEntry({ endpoint }: { endpoint: EndpointDoc }) {
  const { anchor, method, path, summary, description, access, headers, input, inputIn, output } = endpoint;
  return (
    <section className="mt-10 border-ink border-t pt-4">
      <Anchored id={anchor}>{summary}</Anchored>
      <p className="mt-1 flex items-baseline gap-3">
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
      <p className="mt-2 max-w-measure text-13 text-muted">{access}</p>
      {headers.length > 0 ? (
        <>
          <Part title="Headers" />
          <FieldTable caption={`Headers of ${method} ${path}`} fields={headers} optional="Optional" />
        </>
      ) : null}
      <Part title="Takes" note={inputIn === "query" ? "in the query" : "in the body, as JSON"} />
      {input.length > 0 ? (
        <FieldTable caption={`What ${method} ${path} takes`} fields={input} optional="Optional" />
      ) : (
        <p className="text-muted">Nothing.</p>
      )}
      <Part title="Gives" note={`with status ${endpoint.statuses.join(" or ")}`} />
      {output.length > 0 ? (
        <FieldTable caption={`What ${method} ${path} gives`} fields={output} optional="Not always there" />
      ) : (
        <p className="text-muted">Nothing beside its success.</p>
      )}
      <Part title="Refuses" />
      <Refusals refusals={endpoint.refusals} />
      <Command caption="Example" text={endpoint.example} />
    </section>
  );
}
