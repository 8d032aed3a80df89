import { StateShape } from "./state-label/state-shape.tsx";

/** A gate that blocks an action, and how to unblock it, as the API returns it. */
export type Obstacle = { gate: string; reason: string; remedy: string };

const GATES: Record<string, string> = {
  hold: "Hold",
  permission: "Permission",
  suspension: "Suspension",
  domain: "Domain",
  skills: "Skills",
  risk: "Risk",
  not_self: "Own task",
  selected: "Selected provider",
  funding: "Funding",
  terms: "Prepared terms",
  files: "Files",
  dismissed: "Dismissed",
  clock: "Time",
  stopped: "Other party",
  payment: "Payment",
  dispute: "Dispute",
  owner_limits: "Owner limits",
  access_limit: "Access token",
  scope: "Access token",
};

/** `other_provider_selected` → `other provider selected`. */
const reasonWords = (reason: string) => reason.replaceAll("_", " ");

/** The gates that block an action, each with its remedy. */
export function Obstacles({ obstacles }: { obstacles: readonly Obstacle[] }) {
  return (
    <ul className="mt-1 space-y-1">
      {obstacles.map(({ gate, reason, remedy }) => (
        <li key={gate} className="flex items-baseline gap-2">
          <StateShape shape="cross" className="text-danger" />
          <span className="min-w-0">
            <strong className="font-semibold">{GATES[gate] ?? gate}</strong>{" "}
            <span className="text-muted">({reasonWords(reason)})</span>: {remedy}
          </span>
        </li>
      ))}
    </ul>
  );
}
