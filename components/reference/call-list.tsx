import { callHref, type SubjectDoc } from "./model.ts";

/** The calls about one subject, each linked to its page. Its row has the call's anchor, which older links lead to. */
export function CallList({ subject, level }: { subject: SubjectDoc; level: 2 | 3 }) {
  const Heading = `h${level}` as const;
  return (
    <ul className="call-list">
      {subject.calls.map((call) => (
        <li key={call.anchor} id={call.anchor} className="call-row">
          <Heading className="call-row-title">
            <a href={callHref(subject, call)}>{call.summary}</a>
          </Heading>
          <code className="call-row-path">
            {call.method} {call.path}
          </code>
        </li>
      ))}
    </ul>
  );
}
