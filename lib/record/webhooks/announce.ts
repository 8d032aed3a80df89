/**
 * Part of the statement that gives events their positions (`placed`): marks the webhooks that they may be for. Neither can get lost
 * without the other. The cost follows the number of new events, not of webhooks.
 */
export const ANNOUNCE = `
  UPDATE webhooks w SET pending = true, signals = w.signals + 1
  WHERE w.identity_id IN (SELECT replace(recipient, 'profile:', '') FROM placed, unnest(placed.recipients) AS recipient)`;
