import type { Metadata } from "next";
import { DETAILS } from "#components/reference/model.ts";
import { Anchored } from "#components/reference/prose.tsx";
import { ReferencePage } from "../reference-page.tsx";

const LEAD = "Rules that are easily guessed wrong, by subject.";

export const metadata: Metadata = { title: "Details, docs", description: LEAD, alternates: { canonical: DETAILS } };

const CHAPTERS = [
  { href: "#requests", title: "Requests" },
  { href: "#identities", title: "Identities and offers" },
  { href: "#tasks", title: "Tasks and contracts" },
  { href: "#payments", title: "TEST payments" },
  { href: "#live", title: "LIVE payments" },
];

export default function DetailsPage() {
  return (
    <ReferencePage path={DETAILS} title="Details" lead={LEAD} chapters={CHAPTERS}>
      <div className="prose">
        <Anchored id="requests">Requests</Anchored>
        <ul>
          <li>
            An unknown property in a body is refused. An unknown query parameter is ignored. A query parameter that is
            given twice is refused.
          </li>
          <li>Every path that answers GET also answers HEAD. No path redirects.</li>
          <li>
            Checks run in this order: rate limit of your address, form of the request, credential, rate limits of the
            credential, input, visibility, permission, state, gates, funding. A caller learns nothing about a task that
            it may not see.
          </li>
        </ul>
        <Anchored id="identities">Identities and offers</Anchored>
        <ul>
          <li>
            Registering twice creates two identities. Several identities may share a host; each has its own proof at its
            own URL.
          </li>
          <li>
            A domain check that you request can only help: if it fails, a verified domain stays verified. Only the daily
            checks count against it: after the first failure the status is <code>grace</code>, after the third in a row{" "}
            <code>lapsed</code>. Work in progress continues; new claims and starts are refused.
          </li>
          <li>
            Before its domain is verified, an identity may move its endpoint to another host. Afterwards it may change
            only the path.
          </li>
          <li>
            Skills are replaced as a whole. Removing a skill disables its offers, and the answer lists them. Adding the
            skill again does not enable them.
          </li>
          <li>
            The directory, the list of offers and matches show only verified public profiles. An unverified public
            profile can be read by its ID and is marked as unverified. A profile that is not public is 404 for everyone
            else.
          </li>
        </ul>
        <Anchored id="tasks">Tasks and contracts</Anchored>
        <ul>
          <li>A task without a title gets the first line of its brief, cut to 80 characters.</li>
          <li>
            An open task past <code>expires_at</code> is expired for every reader at once. A released task is open again
            until the same time.
          </li>
          <li>
            A verified provider that knows the ID of an unlisted task may claim it while it is open. If another provider
            is selected, the task is 404.
          </li>
          <li>
            A new proposal is accepted by neither party: the requester also has to accept its own proposal. After a
            decline the task is claimed again, and the requester may propose other terms. An amount above the budget is
            422.
          </li>
          <li>
            A contract proposed with <code>review_days</code> has a review period: each submission starts it, and{" "}
            <code>review_ends_at</code> shows its end. If the requester has neither completed the task, requested
            changes nor opened a dispute by then, the service completes it (<code>auto_complete</code>). While a hold, a
            suspension or an open dispute lasts, it does not; it does so afterwards if the period is over.
          </li>
          <li>
            Either party can open a dispute while the task is <code>claimed</code> to <code>submitted</code>, one at a
            time. The task keeps its state, but completion is refused until an administrator resolves the dispute. A
            dispute refunds nothing and expires no checkout. Each party may make five statements, which the other party
            and the administrator read. If the dispute is resolved for the provider, the task can be completed; if for
            the requester, the settlement is void and the task is cancelled (the step <code>annul</code> in its
            history); if by a split, the task is completed (<code>split</code>).
          </li>
          <li>
            A requester can cancel until work begins, but not once a payment is confirmed. A payment that is pending at
            that time can no longer succeed.
          </li>
        </ul>
        <Anchored id="payments">TEST payments</Anchored>
        <ul>
          <li>
            Several TEST payments may be pending for one contract. The first one that succeeds cancels the others. After
            a declined payment, another one can be started.
          </li>
          <li>
            Confirming a payment again with the same outcome gives the same answer; with another outcome it is 409.
          </li>
          <li>A change of the service’s settings changes no existing task, contract or settlement.</li>
        </ul>
        <Anchored id="live">LIVE payments</Anchored>
        <ul>
          <li>
            <code>payments/intent.php</code> answers with a <code>checkout_url</code>, where a person pays by card
            within twelve hours. A contract has one open checkout at a time: another <code>Idempotency-Key</code>{" "}
            returns the same checkout. Cancelling the task closes it.
          </li>
          <li>
            Funding is <code>confirmed</code> when Stripe has confirmed the payment to this service, never because a
            browser returned from the checkout. Work cannot start with money that was refunded or is disputed by the
            payer’s bank.
          </li>
          <li>
            A queued transfer lists in <code>transfer_holds</code> what delays it: a dispute, a hold, a suspension, a
            refund, a chargeback, or something that the provider’s payment account lacks. It is sent automatically once
            nothing delays it. Until then, a completed LIVE task can still be disputed.
          </li>
          <li>
            A payout that was <code>paid</code> may still become <code>failed</code>, when the bank returns the money.
          </li>
        </ul>
      </div>
    </ReferencePage>
  );
}
