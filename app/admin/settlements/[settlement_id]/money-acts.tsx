import { plainLine } from "#components/user-text/pieces.ts";
import type { findSettlement } from "#lib/admin/page-reads/settlements.ts";
import { newId } from "#lib/kernel/ids.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { refundableOf, reversibleOf, sendableOf } from "#lib/settlements/acts/facts.ts";
import type { FieldSpec } from "../../../browser/read-fields.ts";
import { Act } from "../../acts/act.tsx";

type Found = NonNullable<Awaited<ReturnType<typeof findSettlement>>>;

/** The acts that are possible on a settlement's money. Each asks the service what it would do before it is confirmed. */
export function MoneyActs({ found: { settlement, title, names, money } }: { found: Found }) {
  const { settlement_id, provider_public_id: providerId, requester_public_id: requesterId } = settlement;
  const provider = plainLine(names.get(providerId) ?? providerId);
  const requester = plainLine(names.get(requesterId) ?? requesterId);
  const simulated = settlement.payment_mode === "TEST" ? ", simulated" : "";
  // A new ID with every rendering of the page: pressing the button twice orders one act.
  const own = () => ({ settlement_id, act_id: newId("act") });
  const amount = (pence: number): FieldSpec => ({
    name: "pence",
    label: "Amount in pounds",
    hint: `At most ${formatPence(pence)}${simulated}. Leave it empty for all of that.`,
    as: "pounds",
  });
  const [refundable, sendable, reversible] = [refundableOf(money), sendableOf(money), reversibleOf(money)];
  const isSending = money.open?.state === "sending";
  const about = `“${plainLine(title)}”`;
  const possible = [
    refundable > 0 && !isSending ? (
      <Act
        key="refund"
        act="refund"
        title="Refund"
        send="Refund"
        about={own()}
        fields={[amount(refundable)]}
        question={{ title: `Refund the payment for ${about}?` }}
        done="The refund is ordered. Its state is listed below."
      >
        <p>The payment goes back to {requester}, in part or whole. A transfer that was sent is not reversed.</p>
      </Act>
    ) : null,
    sendable > 0 && !isSending ? (
      <Act
        key="send"
        act="send_transfer"
        title="Send what is left"
        send="Send what is left"
        about={own()}
        fields={[amount(sendable)]}
        question={{ title: `Send what is left of ${about} to ${provider}?` }}
        done="The transfer is queued."
      >
        <p>
          {provider} is sent what is left after refunds, chargebacks and reversals. These, and warnings of fraud so far,
          no longer hold the transfer; everything else still does.
        </p>
      </Act>
    ) : null,
    reversible > 0 ? (
      <Act
        key="reverse"
        act="reverse_transfer"
        title="Reverse the transfer"
        send="Reverse the transfer"
        about={own()}
        fields={[amount(reversible)]}
        question={{ title: `Take the transfer for ${about} back from ${provider}?` }}
        done="The reversal is ordered. Its state is listed below."
      >
        <p>What was transferred is taken back from {provider}, in part or whole. This refunds nothing.</p>
      </Act>
    ) : null,
    settlement.transfer === "queued" && !isSending ? (
      <Act
        key="cancel"
        act="cancel_transfer"
        title="Cancel the transfer"
        send="Cancel the transfer"
        about={own()}
        question={{ title: `Cancel the transfer for ${about}?` }}
        done="The transfer is cancelled."
      >
        <p>The queued transfer to {provider} ends and is not sent. This does not move any money.</p>
      </Act>
    ) : null,
  ].filter((each) => each !== null);
  return possible.length > 0 ? possible : <p>There is nothing to decide.</p>;
}
