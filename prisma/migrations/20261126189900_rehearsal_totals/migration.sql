-- The totals count no rehearsals.
CREATE OR REPLACE FUNCTION settlements_came() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO settlement_totals AS t (party_id, payment_mode, settlements, gross_pence, fee_pence, net_pence, refunded_pence, disputed_pence)
  SELECT party, payment_mode, count(*), sum(greatest(gross_pence - refunded_pence - disputed_pence, 0)),
    sum(fee_pence - fee_unwound_pence), sum(net_pence - net_unwound_pence), sum(refunded_pence), sum(disputed_pence)
  FROM came, LATERAL (VALUES (requester_id), (provider_id)) sides(party)
  WHERE state <> 'void' AND NOT EXISTS (SELECT FROM tasks WHERE tasks.id = came.task_id AND rehearsal)
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (party_id, payment_mode) DO UPDATE SET settlements = t.settlements + excluded.settlements,
    gross_pence = t.gross_pence + excluded.gross_pence, fee_pence = t.fee_pence + excluded.fee_pence,
    net_pence = t.net_pence + excluded.net_pence, refunded_pence = t.refunded_pence + excluded.refunded_pence,
    disputed_pence = t.disputed_pence + excluded.disputed_pence;
  RETURN NULL;
END $$;

-- Agreed figures never change. What counts changes with a step into or out of `void`, and with money that goes back.
CREATE OR REPLACE FUNCTION settlements_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO settlement_totals AS t (party_id, payment_mode, settlements, gross_pence, fee_pence, net_pence, refunded_pence, disputed_pence)
  SELECT party, payment_mode, sum(sign), sum(sign * greatest(gross_pence - refunded_pence - disputed_pence, 0)),
    sum(sign * (fee_pence - fee_unwound_pence)), sum(sign * (net_pence - net_unwound_pence)), sum(sign * refunded_pence), sum(sign * disputed_pence)
  FROM (
    SELECT side.* FROM before JOIN after USING (id),
      LATERAL (SELECT after.*, 1 AS sign UNION ALL SELECT before.*, -1 AS sign) side
    WHERE (before.state = 'void', before.refunded_pence, before.disputed_pence, before.fee_unwound_pence, before.net_unwound_pence)
      IS DISTINCT FROM (after.state = 'void', after.refunded_pence, after.disputed_pence, after.fee_unwound_pence, after.net_unwound_pence)
      AND side.state <> 'void' AND NOT EXISTS (SELECT FROM tasks WHERE tasks.id = side.task_id AND rehearsal)
  ) changed, LATERAL (VALUES (requester_id), (provider_id)) sides(party)
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (party_id, payment_mode) DO UPDATE SET settlements = t.settlements + excluded.settlements,
    gross_pence = t.gross_pence + excluded.gross_pence, fee_pence = t.fee_pence + excluded.fee_pence,
    net_pence = t.net_pence + excluded.net_pence, refunded_pence = t.refunded_pence + excluded.refunded_pence,
    disputed_pence = t.disputed_pence + excluded.disputed_pence;
  RETURN NULL;
END $$;
