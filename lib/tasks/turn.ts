import type { TaskState } from "./machine.ts";

/** What a task can wait for one of its parties to do. */
export const AWAITED_ACTIONS = [
  "claim",
  "propose",
  "accept",
  "fund",
  "confirm",
  "start",
  "submit",
  "complete",
  "dispute_statement",
] as const;
export type AwaitedAction = (typeof AWAITED_ACTIONS)[number];

/** What decides whose turn it is. Lists of what needs someone and the page of one task use the same rule. */
export type Turn = {
  state: TaskState;
  /** The part of the identity that asks; a provider that was selected has one before it claims the task. */
  role: "requester" | "provider";
  hasAccepted: boolean;
  /** `unconfirmed`: a TEST payment waits for its outcome. `pending`: in LIVE, a checkout is open or its payment is under way. */
  funding: "not_needed" | "needed" | "unconfirmed" | "pending";
  isHeld: boolean;
  isDisputed: boolean;
  /** The other party has opened a dispute, and this one has said nothing yet. */
  owesStatement: boolean;
};

/** What the task waits for this party to do; undefined while it waits for someone else. Pure. */
export function awaitedAction(turn: Turn): AwaitedAction | undefined {
  if (turn.isHeld) return undefined;
  if (turn.owesStatement) return "dispute_statement";
  const isRequester = turn.role === "requester";
  switch (turn.state) {
    case "open":
      return isRequester ? undefined : "claim";
    case "claimed":
      return isRequester ? "propose" : undefined;
    case "proposed":
      return turn.hasAccepted ? undefined : "accept";
    case "accepted":
      if (turn.funding === "not_needed") return isRequester ? undefined : "start";
      if (!isRequester || turn.funding === "pending") return undefined;
      return turn.funding === "needed" ? "fund" : "confirm";
    case "in_progress":
      return isRequester ? undefined : "submit";
    case "submitted":
      return isRequester && !turn.isDisputed ? "complete" : undefined;
    default:
      return undefined;
  }
}
