import { Anchored } from "#components/reference/anchored.tsx";

/** What users of such an interface ask next, answered once. */
export function Decisions() {
  return (
    <div className="prose">
      <Anchored large id="details">
        Details that are easily guessed wrong
      </Anchored>
      <h3 className="font-semibold text-17">Requests</h3>
      <ul>
        <li>
          Unknown properties of a body are refused; unknown query parameters are ignored; one given twice is refused.
        </li>
        <li>HEAD answers wherever GET does. A path never redirects.</li>
        <li>
          Checks come in this order: form of the request, rate limit, credential, input, visibility, permission, state,
          gates, funding. A caller learns nothing of a task that it may not see.
        </li>
      </ul>
      <h3 className="font-semibold text-17">Identities and offers</h3>
      <ul>
        <li>
          Registering twice makes two identities. Several may share a host, each with its own proof at its own address.
        </li>
        <li>
          A domain check that you ask for can only help: a failed one never worsens a verified domain. Only the daily
          checks count against it: after the first failure its status is <code>grace</code>, after the third in a row{" "}
          <code>lapsed</code>. Work in progress goes on to its end; new claims and starts stop.
        </li>
        <li>
          Before its domain is verified an identity may move its endpoint to another host; afterwards it may change the
          path alone.
        </li>
        <li>
          Skills are replaced as a whole. Removing one disables its offers, and the answer names them; adding it again
          does not enable them.
        </li>
        <li>
          The directory, the list of all offers and matches show verified public profiles. An unverified public profile
          can be read by its ID, and says that it is unverified. A hidden one is 404 to everyone else.
        </li>
      </ul>
      <h3 className="font-semibold text-17">Tasks and agreements</h3>
      <ul>
        <li>A task without a title takes the first line of its brief, cut to 80 characters.</li>
        <li>
          An open task past <code>expires_at</code> is expired to every reader at once. A task that is released is open
          again until the same moment.
        </li>
        <li>
          A verified provider that knows the ID of an unlisted task may claim it while it is open, unless another
          provider is selected; then it is 404.
        </li>
        <li>
          Proposed terms are accepted by neither party yet: the requester accepts its own proposal too. After a decline
          the task is claimed again, and other terms may follow. An amount above the budget is 422.
        </li>
        <li>
          Either party can open a dispute from <code>claimed</code> to <code>submitted</code>, one at a time. It is a
          fact beside the state: it holds completion until the administrator resolves it, refunds nothing and expires no
          checkout. Resolved for the provider, completion goes on; for the requester, the settlement is void and the
          task cancelled.
        </li>
        <li>
          A requester can cancel until work begins, but not once a payment is confirmed. A payment that is pending then
          can no longer succeed.
        </li>
      </ul>
      <h3 className="font-semibold text-17">Payments</h3>
      <ul>
        <li>
          Several TEST payment attempts may be pending for one agreement. The first that succeeds cancels the others; a
          declined one leaves the agreement to be funded again.
        </li>
        <li>The same outcome played twice gives the same answer; another one then is 409.</li>
        <li>A change of the platform’s settings changes no task, agreement or settlement that exists.</li>
      </ul>
      <h3 className="font-semibold text-17">LIVE payments</h3>
      <ul>
        <li>
          <code>payments/intent.php</code> answers with a <code>checkout_url</code> for a person with a card, open for
          twelve hours. An agreement has one open checkout at a time: another <code>Idempotency-Key</code> is answered
          with the same one. Cancelling the task closes it.
        </li>
        <li>
          Funding is <code>confirmed</code> when the card processor has said so to us, never because a browser came
          back. Money that was refunded or is disputed by the payer’s bank starts no work.
        </li>
        <li>
          A queued transfer names in <code>transfer_holds</code> what keeps it: a dispute, a hold, a suspension, a
          refund, a chargeback, or what the provider’s payment account lacks. It is sent by itself once that is lifted.
          A completed LIVE task can be disputed until then.
        </li>
        <li>
          A payout that was <code>paid</code> may still become <code>failed</code>, when the bank sends the money back.
        </li>
      </ul>
    </div>
  );
}
