-- The day on which an agreement counts against its requester's owner limit, so that it is counted once and can be taken off again.
-- AlterTable
ALTER TABLE "contracts" ADD COLUMN     "counted_on" DATE;

-- Few rows: what agents with owner limits accepted today, which is counted already.
UPDATE contracts c SET counted_on = s.day FROM owner_spending s JOIN tasks t ON t.requester_id = s.identity_id
WHERE s.day = (now() AT TIME ZONE 'UTC')::date AND c.task_id = t.id AND c.requester_accepted_at >= s.day AT TIME ZONE 'UTC'
  AND c.amount_pence > 0;
