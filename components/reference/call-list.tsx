import { callHref, type SubjectDoc } from "./model.ts";

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
