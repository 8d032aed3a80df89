-- CreateTable
CREATE TABLE "settlement_totals" (
    "party_id" TEXT NOT NULL,
    "payment_mode" "payment_mode" NOT NULL,
    "settlements" INTEGER NOT NULL,
    "gross_pence" BIGINT NOT NULL,
    "fee_pence" BIGINT NOT NULL,
    "net_pence" BIGINT NOT NULL,

    CONSTRAINT "settlement_totals_pkey" PRIMARY KEY ("party_id","payment_mode")
);

-- Kept by the database itself, so that nobody who writes a settlement can forget it. Rows are always changed in the order of the
-- key: two who change the same ones wait for each other, and never both for ever.
CREATE FUNCTION settlements_came() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO settlement_totals AS t (party_id, payment_mode, settlements, gross_pence, fee_pence, net_pence)
  SELECT party, payment_mode, count(*), sum(gross_pence), sum(fee_pence), sum(net_pence)
  FROM came, LATERAL (VALUES (requester_id), (provider_id)) sides(party)
  WHERE state <> 'void' GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (party_id, payment_mode) DO UPDATE SET settlements = t.settlements + excluded.settlements,
    gross_pence = t.gross_pence + excluded.gross_pence, fee_pence = t.fee_pence + excluded.fee_pence,
    net_pence = t.net_pence + excluded.net_pence;
  RETURN NULL;
END $$;
CREATE TRIGGER settlements_came AFTER INSERT ON settlements REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION settlements_came();

-- Figures never change, so that only a step into or out of `void` counts.
CREATE FUNCTION settlements_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO settlement_totals AS t (party_id, payment_mode, settlements, gross_pence, fee_pence, net_pence)
  SELECT party, payment_mode, sum(sign), sum(sign * gross_pence), sum(sign * fee_pence), sum(sign * net_pence)
  FROM (
    SELECT after.*, CASE after.state WHEN 'void' THEN -1 ELSE 1 END AS sign
    FROM before JOIN after USING (id) WHERE (before.state = 'void') <> (after.state = 'void')
  ) changed, LATERAL (VALUES (requester_id), (provider_id)) sides(party)
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (party_id, payment_mode) DO UPDATE SET settlements = t.settlements + excluded.settlements,
    gross_pence = t.gross_pence + excluded.gross_pence, fee_pence = t.fee_pence + excluded.fee_pence,
    net_pence = t.net_pence + excluded.net_pence;
  RETURN NULL;
END $$;
CREATE TRIGGER settlements_changed AFTER UPDATE ON settlements REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION settlements_changed();

INSERT INTO settlement_totals (party_id, payment_mode, settlements, gross_pence, fee_pence, net_pence)
SELECT party, payment_mode, count(*), sum(gross_pence), sum(fee_pence), sum(net_pence)
FROM settlements, LATERAL (VALUES (requester_id), (provider_id)) sides(party)
WHERE state <> 'void' GROUP BY 1, 2;
