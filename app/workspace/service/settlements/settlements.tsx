import { Part } from "#components/part.tsx";
import { useConnection } from "../connection/connection.ts";
import { read } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { Freshness } from "../frame/freshness.tsx";
import { PageSteps, usePages } from "../frame/pages.tsx";
import type { SettlementPage } from "../task/task-resource.ts";
import { History } from "./history.tsx";
import { SettlementTable, Totals } from "./settlement-tables.tsx";

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
