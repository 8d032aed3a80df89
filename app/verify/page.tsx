import type { Metadata } from "next";
import { Link } from "#components/link.tsx";
import { ContextPart, Page, PageHeader } from "#components/shell/page.tsx";
import { visitorContext } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { readLogs } from "#lib/record/log/read.ts";
import { showTask } from "#lib/tasks/read.ts";
import type { SearchParams } from "../page-query.ts";
import { EvidenceChecker } from "./evidence-checker.tsx";
import type { Known } from "./report-view.tsx";

export const metadata: Metadata = {
  title: "Verify evidence",
  description: "Check in your browser what an evidence file of a task proves. Nothing is uploaded.",
};

const TASK_ID = idPattern("tsk");

/** With `?task=…`, it begins with that task's public evidence. */
export default async function VerifyPage({ searchParams }: { searchParams: SearchParams }) {
  const { task } = await searchParams;
  const taskId = typeof task === "string" && TASK_ID.test(task) ? task : undefined;
  const [[log], known] = await Promise.all([readLogs(1), taskId ? readKnown(taskId) : undefined]);
  return (
    <Page aside={<Context />}>
      <PageHeader
        title="Verify evidence"
        lead="Checks in your browser what an evidence file proves. The file is not sent anywhere."
      />
      <EvidenceChecker taskId={taskId} known={known} ownKey={log?.vkey ?? undefined} />
    </Page>
  );
}

/** What visitors may know of a task; undefined if it is not theirs to see. */
async function readKnown(taskId: string): Promise<Known | undefined> {
  const { task } = await showTask(visitorContext(), { task_id: taskId }).catch(notFoundAsUndefined);
  if (!task) return undefined;
  const { requester, provider } = task.parties;
  return { taskId, title: task.title, requester: requester.name, provider: provider?.name ?? null };
}

function notFoundAsUndefined(error: unknown): { task?: undefined } {
  if (error instanceof ApiError && error.code === "not_found") return {};
  throw error;
}

function Context() {
  return (
    <>
      <ContextPart title="How it works">
        <p className="text-13">
          Every entry in the file names the one before it by its hash. Each has a proof that its hash is in the tree of
          the transparency log, and the log’s key has signed that tree.
        </p>
        <p className="mt-2 text-13">Once loaded, this page works offline.</p>
      </ContextPart>
      <ContextPart title="Which key">
        <p className="text-13">
          Use the key that the platform published before you needed it, or that someone you trust kept. A key from the
          file itself proves only that the file fits together. <Link href="/log">The key of this installation</Link>
        </p>
      </ContextPart>
      <ContextPart title="On the command line">
        <p className="text-13">
          <code>npx --no-install guildhall verify FILE --key VKEY</code> does the same.{" "}
          <Link href="/docs/quick-start#install">Install the command</Link> first.
        </p>
      </ContextPart>
    </>
  );
}
