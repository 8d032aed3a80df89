import type { z } from "zod";
import { download } from "#components/download.ts";
import { ModeBadge, ModeHead } from "#components/mode-badge.tsx";
import { Money, type PaymentMode } from "#components/money/money.tsx";
import { stagesOf } from "#components/money-path/stages.ts";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Scrolling } from "#components/table.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { FeeStatementAnswer, SettlementWire } from "#lib/settlements/schema.ts";
import { useSend } from "../../../browser/use-form.ts";
import { useConnection } from "../connection/connection.ts";
import { read } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { PageSteps, usePages } from "../frame/pages.tsx";
import { taskPath, ViewLink, viewPath } from "../frame/view-link.tsx";
import type { SettlementPage } from "../task/task-resource.ts";
import { History } from "./history.tsx";

/** The identity's settlements with totals per mode, and their export. */
export function Settlements() {
  const pages = usePages();
  const { cursor } = pages;
  const { publicId } = useConnection();
  const list = useResource<SettlementPage>(
    `settlements:${cursor ?? ""}`,
    () => read<SettlementPage>("settlements/mine.php", { cursor }),
    { everySeconds: 30 },
  );
  return (
    <div className="space-y-12">
      <Part id="settlements" title="Settlements" className="">
        <p className="mt-1 mb-4 max-w-measure">
          A settlement records what was agreed. It becomes a charge only when a LIVE payment is confirmed; simulated
          settlements never do.
        </p>
        {list.body ? <Totals totals={list.body.totals} /> : null}
        <Freshness reading={list} />
        <SettlementTable settlements={list.body?.settlements} own={publicId ?? ""} isFirst={!cursor} />
        <PageSteps pages={pages} next={list.body?.next_cursor ?? null} />
      </Part>
      <History own={publicId ?? ""} />
    </div>
  );
}

/** Settlements as a table, newest first, with links to their tasks. */
function SettlementTable({
  settlements,
  own,
  isFirst,
}: {
  settlements: readonly SettlementWire[] | undefined;
  own: string;
  isFirst: boolean;
}) {
  if (!settlements) return <p className="border-ink border-t py-4 text-muted">Loading…</p>;
  if (settlements.length === 0) {
    return (
      <p className="border-ink border-t py-4 text-17">
        {isFirst ? (
          <>
            You have no settlements yet. One is recorded when both parties accept an agreement.{" "}
            <ViewLink href={viewPath("tasks")}>Go to your tasks</ViewLink>.
          </>
        ) : (
          "There are no older settlements."
        )}
      </p>
    );
  }
  return (
    <Scrolling label="Settlements, newest first">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">Recorded</th>
            <th scope="col">Mode</th>
            <th scope="col">As</th>
            <AmountHeads />
            <th scope="col">State</th>
            <th scope="col">Money</th>
          </tr>
        </thead>
        <tbody>
          {settlements.map((settlement) => (
            <tr key={settlement.settlement_id}>
              <th scope="row">
                <ViewLink href={taskPath(settlement.task_id)}>
                  <Timestamp at={settlement.recorded_at} form="moment" />
                </ViewLink>
              </th>
              <td>
                <ModeBadge mode={settlement.payment_mode} />
              </td>
              <td>{settlement.provider_public_id === own ? "Provider" : "Requester"}</td>
              <AmountCells amounts={settlement} mode={settlement.payment_mode} />
              <td>
                <StateLabel kind="settlement" state={settlement.state} />
              </td>
              <td className="text-13">
                {reached(settlement)}
                {settlement.is_charge && settlement.state === "approved" && settlement.provider_public_id === own ? (
                  <StatementButton settlementId={settlement.settlement_id} />
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

/** Downloads the statement of the platform's fee, as a page to print. */
function StatementButton({ settlementId }: { settlementId: string }) {
  const { pending, refusal, send } = useSend();
  async function save() {
    const outcome = await send(() =>
      read<z.output<typeof FeeStatementAnswer>>("settlements/fee_statement.php", { settlement_id: settlementId }),
    );
    if (outcome?.ok) download(`fee-statement-${settlementId}.html`, [outcome.body.html], "text/html");
  }
  return (
    <>
      <br />
      <button type="button" aria-disabled={pending || undefined} onClick={save} className="underline">
        Fee statement
      </button>
      <span role="status">{refusal ? ` ${refusal.message}` : null}</span>
    </>
  );
}

/** The last stage that the money reached, or the one that failed. */
function reached(settlement: SettlementWire): string {
  const stages = stagesOf(settlement);
  const last = stages.findLast(({ pence, mark }) => pence !== null && mark !== "failed") ?? stages[0];
  const failed = stages.find(({ mark }) => mark === "failed");
  const word = failed && settlement.state !== "void" ? `${failed.name} ${failed.words ?? ""}` : (last?.name ?? "");
  return settlement.simulated ? `${word}, simulated` : word;
}

const MODES = ["TEST", "LIVE"] as const;

/** Totals per mode. TEST and LIVE are never added together. */
function Totals({ totals }: { totals: SettlementPage["totals"] }) {
  return (
    <Scrolling label="Totals per mode, without void settlements">
      <table className="ledger mb-6">
        <thead>
          <tr>
            <th scope="col">Mode</th>
            <th scope="col" className="figure">
              Count
            </th>
            <AmountHeads />
          </tr>
        </thead>
        <tbody>
          {MODES.map((mode) => (
            <tr key={mode}>
              <ModeHead mode={mode} />
              <td className="figure">{totals[mode].count.toLocaleString("en-GB")}</td>
              <AmountCells amounts={totals[mode]} mode={mode} />
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

const COLUMNS = [
  { head: "Gross", field: "gross_pence" },
  { head: "Fee", field: "fee_pence" },
  { head: "Net", field: "net_pence" },
] as const;

/** The column headings for `AmountCells`. */
function AmountHeads() {
  return COLUMNS.map(({ head }) => (
    <th key={head} scope="col" className="figure">
      {head}
    </th>
  ));
}

/** Gross, fee and net, in pence. */
function AmountCells({
  amounts,
  mode,
}: {
  amounts: Record<(typeof COLUMNS)[number]["field"], number>;
  mode: PaymentMode;
}) {
  return COLUMNS.map(({ field }) => (
    <td key={field} className="figure">
      <Money pence={amounts[field]} mode={mode} quiet />
    </td>
  ));
}
