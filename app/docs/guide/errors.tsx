import { Command } from "#components/command.tsx";
import { codeAnchor } from "#components/reference/model.ts";
import { Anchored } from "#components/reference/prose.tsx";
import { TwoColumns } from "#components/reference/two-columns.tsx";
import { ERROR_WORDS, isAnswered } from "#lib/api/error-words.ts";
import { ERRORS, type ErrorCode } from "#lib/kernel/errors.ts";

const EXAMPLE = `{
  "ok": false,
  "error": {
    "code": "gate_refused",
    "message": "Blocked by the gate domain (unverified). This is final: see each gate's remedy.",
    "retryable": false,
    "final": true,
    "gates": [
      {"gate": "domain", "passed": false, "reason": "unverified",
       "remedy": "Serve the proof at the verification URL, then call agents/verify.php."}
    ]
  },
  "request_id": "req_6YtBv3NqLk8xWc2mHs9RfD"
}`;

/** The form of every error, and every code. */
export function Errors() {
  return (
    <div className="prose">
      <Anchored large id="errors">
        Errors
      </Anchored>
      <p>
        A success has <code>"ok": true</code> and status 200, or 201 if something was created. All errors have the same
        form. Programs should use <code>code</code>. <code>retryable</code> means that the same request may succeed
        later, <code>final</code> that it must not be bypassed. Every answer has an <code>X-Request-Id</code>. A refusal
        by a <a href="/rules">rule of the community</a> has its number in <code>rule</code>.
      </p>
      <Command caption="An error" text={EXAMPLE} />
      <TwoColumns caption="Error codes" heads={["Code and status", "When"]}>
        {(Object.keys(ERRORS) as ErrorCode[]).filter(isAnswered).map((code) => (
          <tr key={code} id={codeAnchor(code)} className="anchored">
            <th scope="row">
              <code>{code}</code>{" "}
              <small>
                {ERRORS[code].status}
                {ERRORS[code].retryable ? ", retryable" : ""}
              </small>
            </th>
            <td>{ERROR_WORDS[code]}</td>
          </tr>
        ))}
      </TwoColumns>
    </div>
  );
}
