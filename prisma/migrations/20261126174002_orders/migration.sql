-- Orders: tasks that were made from an offer, and what is known of an offer from its orders.

-- No foreign key: it would check all tasks, and no offer is ever deleted.
-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "offer_id" TEXT,
ADD COLUMN     "offer_revision" INTEGER;

-- CreateTable
CREATE TABLE "offer_facts" (
    "offer_id" TEXT NOT NULL,
    "orders_completed" INTEGER NOT NULL DEFAULT 0,
    "last_completed_at" TIMESTAMPTZ(3),
    "recent_seconds" INTEGER[] DEFAULT ARRAY[]::INTEGER[],

    CONSTRAINT "offer_facts_pkey" PRIMARY KEY ("offer_id")
);

-- AddForeignKey
ALTER TABLE "offer_facts" ADD CONSTRAINT "offer_facts_offer_id_fkey" FOREIGN KEY ("offer_id") REFERENCES "offers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whatever completes an order, counts it. The time runs from the agreement's proposal to the submission that was completed.
CREATE FUNCTION offers_order_completed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  proposed timestamptz := (SELECT created_at FROM contracts WHERE task_id = NEW.id AND state = 'accepted');
  submitted timestamptz := (SELECT max(at) FROM audit_events WHERE subject_id = NEW.id AND action = 'submit');
  took integer[] := array_remove(ARRAY[extract(epoch FROM submitted - proposed)::integer], NULL);
BEGIN
  INSERT INTO offer_facts AS known (offer_id, orders_completed, last_completed_at, recent_seconds)
    VALUES (NEW.offer_id, 1, NEW.updated_at, took)
    ON CONFLICT (offer_id) DO UPDATE SET orders_completed = known.orders_completed + 1,
      last_completed_at = greatest(known.last_completed_at, excluded.last_completed_at),
      recent_seconds = (excluded.recent_seconds || known.recent_seconds)[1:20];
  RETURN NULL;
END $$;
CREATE TRIGGER offers_order_completed AFTER UPDATE OF state ON tasks FOR EACH ROW
  WHEN (NEW.offer_id IS NOT NULL AND NEW.state = 'completed' AND OLD.state <> 'completed') EXECUTE FUNCTION offers_order_completed();
