import type { z } from "zod";
import { ProfileLink } from "#components/agent-name.tsx";
import { Money } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import { formatPence } from "#lib/kernel/money.ts";
import type { ChosenQuoteAnswer, QuoteAnswer, QuotesAnswer, QuoteWire } from "#lib/tasks/quotes/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import type { Outcome } from "../../../browser/call.ts";
import { StepDialog } from "../../../browser/step-dialog.tsx";
import { useConnection } from "../connection/connection.ts";
import { read, write } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { StepForm } from "../frame/step-form.tsx";
import { refreshTask, updateTask } from "./task-resource.ts";
import { TERMS, withTerms } from "./terms-fields.ts";

type Page = z.output<typeof QuotesAnswer>;

const PACE = { everySeconds: 15, minSeconds: 0 };
/** The longest page of a list; more than a task's quotes that can be live at the same time. */
const LIMIT = 100;

/**
 * A provider that has made no quote for the task gets 404 for it, so its newest quotes are searched first. Only one with more quotes than
 * these asks for the task's own.
 */
async function readQuotes(taskId: string, isRequester: boolean): Promise<Outcome<Page>> {
  if (!isRequester) {
    const own = await read<Page>("jobs/quotes.php", { limit: LIMIT });
    if (!own.ok) return own;
    const quotes = own.body.quotes.filter(({ task_id: id }) => id === taskId);
    if (quotes.length > 0 || own.body.next_cursor === null) return { ok: true, body: { quotes, next_cursor: null } };
  }
  const found = await read<Page>("jobs/quotes.php", { task_id: taskId, limit: LIMIT });
  return !found.ok && found.refusal.code === "not_found"
    ? { ok: true, body: { quotes: [], next_cursor: null } }
    : found;
}

/** The quotes that this identity may read: all of them for the requester, its own for a provider, which can make one. */
export function QuotesPart({ task }: { task: TaskWire }) {
  return task.open_to === "quotes" ? <ReadQuotes task={task} /> : null;
}

/** What `QuotesPart` shows; nothing is read for a task that is not open to quotes. */
export function useQuotes({ task_id: taskId, open_to: openTo, parties }: TaskWire) {
  const { publicId } = useConnection();
  const isRequester = parties.requester.public_id === publicId;
  const load = () => readQuotes(taskId, isRequester);
  return { isRequester, reading: useResource<Page>(`quotes:${taskId}`, load, PACE, openTo === "quotes") };
}

function ReadQuotes({ task }: { task: TaskWire }) {
  const { isRequester, reading } = useQuotes(task);
  const quotes = reading.body?.quotes ?? [];
  const mayQuote = task.available_actions.some(({ action, ready }) => action === "quote" && ready);
  if (!isRequester && !mayQuote && quotes.length === 0) return null;
  return (
    <Part id="quotes" title={isRequester ? "Quotes" : "Your quotes"} className="">
      <Freshness reading={reading} />
      {quotes.length > 0 ? (
        <Quotes task={task} quotes={quotes} isRequester={isRequester} />
      ) : (
        <p className="max-w-measure text-muted">
          {isRequester ? "No quotes yet." : "You haven’t made a quote for this task."}
        </p>
      )}
      {mayQuote ? <QuoteForm task={task} replaces={quotes.some(({ state }) => state === "live")} /> : null}
    </Part>
  );
}

const STATES: Record<QuoteWire["state"], string> = {
  live: "Live",
  chosen: "Chosen",
  passed_over: "Passed over",
  replaced: "Replaced",
  expired: "Expired",
  withdrawn: "Withdrawn",
};

function Quotes({ task, quotes, isRequester }: { task: TaskWire; quotes: QuoteWire[]; isRequester: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than a phone can be scrolled with the keyboard.
    <section tabIndex={0} aria-label="Quotes to compare" className="relative overflow-x-auto">
      <table className="w-full min-w-160 border-ink border-t text-start align-top">
        <thead>
          <tr className="border-rule border-b text-13 text-muted">
            {[...(isRequester ? ["Provider"] : []), "Amount", "Due", "Note", "State", ""].map((name) => (
              <th key={name} scope="col" className="py-2 pe-4 text-start font-normal">
                {name || <span className="sr-only">Step</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {quotes.map((quote) => (
            <tr key={quote.quote_id} className="border-rule border-b align-top">
              {isRequester ? (
                <th scope="row" className="min-w-40 py-3 pe-4 text-start font-normal">
                  <ProfileLink publicId={quote.provider.public_id} name={quote.provider.name} />
                  <span className="block text-13 text-muted">{quote.provider.domain ?? "domain not verified"}</span>
                  <span className="block text-13 text-muted">
                    {quote.provider_record.settled === 0
                      ? "no settled tasks yet"
                      : `${quote.provider_record.completed} of ${quote.provider_record.settled} settled tasks completed`}
                  </span>
                </th>
              ) : null}
              <td className="py-3 pe-4">
                <Money pence={quote.amount_pence} mode={task.payment_mode} zero="Free" />
              </td>
              <td className="py-3 pe-4">{quote.due_at ? <Timestamp at={quote.due_at} form="moment" /> : "–"}</td>
              <td className="min-w-52 py-3 pe-4">
                <PostText text={quote.note} plain />
              </td>
              <td className="py-3 pe-4">
                {STATES[quote.state]}
                {quote.state === "live" ? (
                  <span className="block text-13 text-muted">
                    until <Timestamp at={quote.expires_at} form="moment" />
                  </span>
                ) : null}
              </td>
              <td className="min-w-28 py-3">
                {isRequester ? <Choose task={task} quote={quote} /> : <Withdraw task={task} quote={quote} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Choose({ task, quote }: { task: TaskWire; quote: QuoteWire }) {
  const isPossible = task.available_actions.some(({ action, ready }) => action === "choose_quote" && ready);
  if (quote.state !== "live" || !isPossible) return null;
  return (
    <StepDialog
      label="Choose"
      title={`Choose the quote of ${formatPence(quote.amount_pence)} from “${quoteOf(quote.provider.name, 40)}”?`}
      action="Choose this quote"
      parts={task.prepared ? [] : TERMS}
      send={(values) =>
        write<z.output<typeof ChosenQuoteAnswer>>("jobs/choose_quote.php", {
          quote_id: quote.quote_id,
          ...withTerms(values),
        })
      }
      done={({ task: changed }) => updateTask(changed)}
    >
      <p>
        Only this provider can then claim the task. Its claim proposes the agreement with this amount
        {quote.due_at ? " and due date" : ""}, and with {task.prepared ? "the terms that you prepared" : "these terms"}.
        Until it claims the task, you can choose another quote.
      </p>
    </StepDialog>
  );
}

function Withdraw({ task, quote }: { task: TaskWire; quote: QuoteWire }) {
  const isOpen = quote.state === "live" || quote.state === "passed_over";
  if (!isOpen && !(quote.state === "chosen" && task.state === "open")) return null;
  return (
    <StepDialog
      label="Withdraw"
      title="Withdraw this quote?"
      action="Withdraw the quote"
      danger
      send={() => write<z.output<typeof QuoteAnswer>>("jobs/quote_withdraw.php", { quote_id: quote.quote_id })}
      done={() => refreshTask(task.task_id)}
    >
      <p>The requester can then no longer choose it. You can make another quote while the task is open.</p>
    </StepDialog>
  );
}

/** @param replaces whether a quote is live, which the new one replaces */
function QuoteForm({ task, replaces }: { task: TaskWire; replaces: boolean }) {
  return (
    <section aria-labelledby="quote" className="mt-6">
      <h3 id="quote" className="mb-4 font-semibold text-17">
        {replaces ? "Replace your quote" : "Make a quote"}
      </h3>
      <StepForm<z.output<typeof QuoteAnswer>>
        path="jobs/quote.php"
        about={{ task_id: task.task_id }}
        parts={[
          {
            name: "amount",
            wire: "amount_pence",
            label: "Amount in pounds",
            as: "pounds",
            required: true,
            hint: `At most the budget, ${formatPence(task.budget_pence)}. Only the requester sees it.`,
          },
          {
            name: "note",
            label: "Note",
            rows: 4,
            required: true,
            hint: "What you offer for this amount. At most 2,000 characters.",
          },
          { name: "due_at", label: "Due", as: "time", hint: "When you would deliver, in your local time." },
          {
            name: "valid_hours",
            label: "Valid for (hours)",
            range: [1, 720],
            hint: "From 1 to 720. By default, 168 hours (7 days).",
          },
        ]}
        again=""
        draft={`quote ${task.task_id}`}
        action={replaces ? "Replace quote" : "Make quote"}
        primary
        done={() => refreshTask(task.task_id)}
      />
    </section>
  );
}
