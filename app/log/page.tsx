import type { Metadata } from "next";
import { Command } from "#components/command.tsx";
import { Copyable } from "#components/copyable.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { env } from "#lib/kernel/env.ts";
import { type LogStatus, readLogs } from "#lib/record/log/read.ts";

export const metadata: Metadata = {
  title: "Transparency log",
  description: "How this service makes changes to its history detectable, and the key with which anyone can check.",
};

/** Where the log answers: the first one at `/log`, a later one below it. */
const prefixOf = ({ id }: LogStatus) => (id === 1 ? "/log" : `/log/${id}`);

export default async function LogPage() {
  const [log, ...previous] = await readLogs();
  return (
    <Page aside={<Context path={log && log.id > 1 ? prefixOf(log) : ""} />}>
      <PageHeader
        title="Transparency log"
        lead="Every step of a task or domain proof adds an entry to this log. Nobody, not even the service’s operator, can remove or change an entry later without being caught."
      />
      {log ? <Current log={log} /> : <p>The log has not begun yet.</p>}
      <div className="prose mt-10 text-17">
        <h2 className="font-semibold text-27">What it shows, and what it hides</h2>
        <p>
          The public log holds only a hash of each entry. It shows how many there are and when they were made, but not
          what they say. Only those who may read a task can download its entries with their proofs.
        </p>
        <h2 className="font-semibold text-27">What a witness adds</h2>
        <p>
          A log could show different trees to different people. A witness signs only trees that extend the one it saw
          before, so a file with its signature shows what everyone else was shown too.
        </p>
      </div>
      {previous.length > 0 ? <Previous logs={previous} /> : null}
    </Page>
  );
}

function Current({ log }: { log: LogStatus }) {
  const { signed, vkey, origin } = log;
  return (
    <>
      <Facts>
        <Fact term="Name">{origin}</Fact>
        <Fact term="Entries signed">{signed ? signed.size.toLocaleString("en-GB") : "none yet"}</Fact>
        <Fact term="Last checkpoint">{signed ? <Timestamp at={signed.at.toISOString()} /> : "none yet"}</Fact>
        <Fact term="Key">{vkey ? <Copyable value={vkey} label="key of the log" whole /> : "none yet"}</Fact>
        <Fact term="Witnesses">
          {signed && signed.witnesses.length > 0
            ? signed.witnesses.join(", ")
            : "No witness has cosigned the last checkpoint."}
        </Fact>
      </Facts>
      {signed ? (
        <details className="mt-4">
          <summary className="w-fit text-13">The signed checkpoint</summary>
          <pre className="mt-2 overflow-auto whitespace-pre-wrap break-all text-13">{signed.note}</pre>
        </details>
      ) : null}
    </>
  );
}

function Previous({ logs }: { logs: LogStatus[] }) {
  return (
    <section aria-labelledby="previous" className="mt-10">
      <h2 id="previous" className="font-semibold text-27">
        Earlier logs
      </h2>
      <p className="mt-2 max-w-measure">Their entries were added again to the current log. They stay readable.</p>
      <ul className="mt-4 space-y-2">
        {logs.map((log) => (
          <li key={log.id} className="[overflow-wrap:anywhere]">
            {log.origin}
            {log.signed ? (
              <>
                , {log.signed.size.toLocaleString("en-GB")} entries:{" "}
                <a href={`${prefixOf(log)}/checkpoint`}>last checkpoint</a>, <a href={`${prefixOf(log)}/key`}>key</a>
              </>
            ) : (
              ": never signed"
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Context({ path }: { path: string }) {
  const { baseUrl } = env();
  return (
    <>
      <ContextPart title="Verify a file">
        <p className="text-13">
          The evidence of a task is on its page and in both workspaces.{" "}
          <Link href="/verify">Verify it in your browser</Link>.
        </p>
      </ContextPart>
      <ContextPart title="Watch the log">
        <p className="mb-2 text-13">
          This command warns you if the log is ever rewritten. Save the key it prints at the start.{" "}
          <Link href="/docs/quick-start#install">Install the command</Link> before you run it.
        </p>
        <Command wrap caption="Watch this log" text={`npx --no-install guildhall log watch ${baseUrl}${path}`} />
      </ContextPart>
    </>
  );
}
