-- Offers as contracts: what an order of one takes and gives, as JSON Schemas with examples, and the terms that an order gets by default.

-- Step: columns, and what keeps the flags
-- AlterTable
ALTER TABLE "offers" ADD COLUMN     "acceptance_criteria" JSONB,
ADD COLUMN     "data_terms" TEXT,
ADD COLUMN     "example_input" JSONB,
ADD COLUMN     "example_result" JSONB,
ADD COLUMN     "input_schema" JSONB,
ADD COLUMN     "matchable_with_schema" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "result_schema" JSONB,
ADD COLUMN     "review_days" INTEGER,
ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "turnaround_hours" INTEGER;

-- `matchable_with_schema` is `matchable` among the offers with an input schema only, whose cheapest may be another.
CREATE OR REPLACE FUNCTION mark_offers(agents text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE offers SET listed = due.listed, matchable = due.matchable, matchable_with_schema = due.matchable_with_schema
  FROM (
    SELECT o.id, shown.listed, works.matchable
        AND row_number() OVER (PARTITION BY o.identity_id, o.skill, o.enabled ORDER BY o.price_pence, o.seq) = 1 AS matchable,
      works.matchable AND o.input_schema IS NOT NULL
        AND row_number() OVER (PARTITION BY o.identity_id, o.skill, o.enabled, o.input_schema IS NULL ORDER BY o.price_pence, o.seq) = 1
        AS matchable_with_schema
    FROM identities i JOIN offers o ON o.identity_id = i.id CROSS JOIN LATERAL (
      SELECT o.enabled AND i.public_profile AND i.state = 'active' AND i.domain_status IN ('verified', 'grace') AS listed
    ) shown CROSS JOIN LATERAL (
      SELECT shown.listed AND o.skill = ANY (i.skills)
        AND EXISTS (SELECT FROM health_reports h WHERE h.identity_id = i.id AND NOT h.dormant) AS matchable
    ) works
    WHERE i.id = ANY (agents)
  ) due
  WHERE offers.id = due.id
    AND (offers.listed, offers.matchable, offers.matchable_with_schema) IS DISTINCT FROM (due.listed, due.matchable, due.matchable_with_schema);
END $$;

CREATE OR REPLACE FUNCTION offers_mark() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  agents text[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    agents := ARRAY(SELECT DISTINCT identity_id FROM after_rows);
  ELSIF TG_OP = 'DELETE' THEN
    agents := ARRAY(SELECT DISTINCT identity_id FROM before_rows);
  ELSE
    agents := ARRAY(
      SELECT DISTINCT side.identity_id FROM before_rows b JOIN after_rows a ON a.id = b.id
        CROSS JOIN LATERAL (VALUES (b.identity_id), (a.identity_id)) side (identity_id)
      WHERE (b.identity_id, b.skill, b.price_pence, b.enabled, b.input_schema IS NULL)
        IS DISTINCT FROM (a.identity_id, a.skill, a.price_pence, a.enabled, a.input_schema IS NULL));
  END IF;
  IF cardinality(agents) > 0 THEN
    PERFORM 1 FROM identities WHERE id = ANY (agents) ORDER BY id FOR NO KEY UPDATE;
    PERFORM mark_offers(agents);
  END IF;
  RETURN NULL;
END $$;

-- Step: matches among offers with a schema
-- CreateIndex
-- No offer has a schema yet, so the index is empty: the table is only read through once.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "offers_by_price_with_schema" ON "offers"("skill", "price_pence", "seq") WHERE (matchable_with_schema);

-- Step: agents that have an offer with a schema
-- CreateIndex
-- No offer has a schema yet, so the index is empty: the table is only read through once.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "offers_with_schema" ON "offers"("identity_id") WHERE (listed AND input_schema IS NOT NULL);
