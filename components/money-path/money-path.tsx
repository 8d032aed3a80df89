import { formatPence } from "#lib/kernel/money.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { withoutRepeats } from "../checklist.tsx";
import { ModeBadge } from "../mode-badge.tsx";
import { Money } from "../money/money.tsx";
import { StateShape } from "../state-label/state-shape.tsx";
import { Timestamp } from "../timestamp/timestamp.tsx";
import { type SettlementFacts, type Stage, stagesOf } from "./stages.ts";

function Marker({ mark }: { mark: Stage["mark"] }) {
  switch (mark) {
    case "recorded":
      return <StateShape shape="disc" className="text-ink" />;
    case "real":
      return <StateShape shape="disc" className="text-accent" />;
    case "simulated":
      return <span className="hatched block size-2.5 rounded-full border border-caution" />;
    case "pending":
      return <StateShape shape="half" className="text-muted" />;
    case "failed":
      return <StateShape shape="cross" className="text-danger" />;
    case "none":
      return <StateShape shape="ring" className="text-edge" />;
  }
}

function StageItem({ stage, mode }: { stage: Stage; mode: SettlementFacts["payment_mode"] }) {
  const reached = stage.pence !== null;
  return (
    <li className={`path-step ${reached ? "" : "path-ahead"}`}>
      <span className="path-marker">
        <Marker mark={stage.mark} />
      </span>
      <span className="block text-13">{stage.name}</span>
      {stage.pence === null ? null : (
        <span className="block text-17">
          <Money pence={stage.pence} mode={mode} />
        </span>
      )}
      {stage.at ? (
        <span className="block text-13 text-muted">
          <Timestamp at={stage.at} form="moment" />
        </span>
      ) : null}
      {stage.words ? (
        <span className={`block text-13 ${stage.mark === "failed" ? "text-danger" : "text-muted"}`}>{stage.words}</span>
      ) : null}
    </li>
  );
}

/** The money of a settlement in its stages: agreed, funded, transferred, paid out. Times are in UTC. */
export function MoneyPath({ settlement }: { settlement: SettlementFacts }) {
  const { payment_mode: mode, gross_pence: gross, net_pence: net, fee_pence: fee, transfer_holds: holds } = settlement;
  const { refunded_pence: refunded, disputed_pence: disputed, debt_pence: debt = 0 } = settlement;
  const { withheld_pence: withheld = 0, refund_due_pence: due = 0, awarded_pence: awarded } = settlement;
  return (
    <div className="path-frame">
      <ol className="path">
        {stagesOf(settlement).map((stage) => (
          <StageItem key={stage.name} stage={stage} mode={mode} />
        ))}
      </ol>
      {holds?.length ? (
        <div className="mt-4 max-w-measure border-caution border-s-2 ps-4">
          <p className="text-13 text-muted">Why the transfer is waiting</p>
          <TransferHolds holds={holds} />
        </div>
      ) : null}
      <p className="mt-4 text-13 text-muted">
        <ModeBadge mode={mode} />{" "}
        {mode === "TEST" ? "Simulated throughout: no money moves, and none of this is a charge. " : null}
        {gross > 0 && settlement.state !== "void"
          ? `Of ${formatPence(awarded ?? gross)} ${awarded === undefined ? "agreed" : "awarded"}, ${formatPence(net)} is for the provider and ${formatPence(fee)} is the platform fee.`
          : null}
        {gross > 0 && settlement.state === "void" && settlement.funding !== "confirmed" ? "Nothing was paid." : null}
        {refunded > 0 ? ` ${formatPence(refunded)} was refunded, or is being refunded.` : null}
        {due > 0 ? ` ${formatPence(due)} is due back to the requester.` : null}
        {disputed > 0 ? ` ${formatPence(disputed)} is disputed by the payer's bank, or was taken back by it.` : null}
        {withheld > 0
          ? ` ${formatPence(withheld)} of the provider's part was kept for what the provider owed the platform.`
          : null}
        {debt > 0
          ? ` The provider owes the platform ${formatPence(debt)} of it, which is kept from its later transfers.`
          : null}
      </p>
    </div>
  );
}

type Hold = NonNullable<SettlementWire["transfer_holds"]>[number];

/** The reasons why a queued transfer is not sent yet, each with its remedy. */
export function TransferHolds({ holds }: { holds: readonly Hold[] }) {
  return (
    <ul>
      {withoutRepeats(holds).map(({ reason, detail, remedy }) => (
        <li key={reason}>
          <span className="text-ink">{detail}</span> {remedy}
        </li>
      ))}
    </ul>
  );
}
