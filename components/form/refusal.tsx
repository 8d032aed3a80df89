import type { ReactNode } from "react";
import { Copyable } from "../copyable.tsx";
import { type Obstacle, Obstacles } from "../obstacles.tsx";
import { StateShape } from "../state-label/state-shape.tsx";

/** Why the API refused a request. */
export type Refusal = {
  /** HTTP status; 0 without a response. */
  status: number;
  code: string;
  message: string;
  /** The problem with each field, by its name in the API. */
  fieldErrors: Record<string, string>;
  /** The machine-readable cause of a failed check. */
  reason: string | null;
  /** The gates that block it, if gates refused it. */
  gates?: readonly Obstacle[];
  requestId: string | null;
  retryAfterSeconds: number | null;
};

/** Says that something was not done and why, with the request's ID; nothing without a refusal. `children` is the remedy. */
export function RefusalNote({
  refusal,
  className = "",
  children,
}: {
  refusal: Refusal | null;
  className?: string;
  children?: ReactNode;
}) {
  if (!refusal) return null;
  return (
    <div role="alert" tabIndex={-1} className={`max-w-measure border-danger border-s-2 ps-4 ${className}`}>
      <p className="flex items-baseline gap-2 text-17">
        <StateShape shape="cross" className="text-danger" />
        <span className="min-w-0">
          {refusal.gates && refusal.gates.length > 0 ? "This action is blocked." : refusal.message}
        </span>
      </p>
      {children ? <div className="mt-1">{children}</div> : null}
      {refusal.gates && refusal.gates.length > 0 ? <Obstacles obstacles={refusal.gates} /> : null}
      {refusal.requestId ? (
        <p className="mt-1 text-13 text-muted">
          Request <Copyable value={refusal.requestId} label="request ID" />
        </p>
      ) : null}
    </div>
  );
}
