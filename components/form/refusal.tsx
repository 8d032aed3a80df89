import type { ReactNode } from "react";
import { Copyable } from "../copyable/copyable.tsx";
import { type Obstacle, Obstacles } from "../obstacles.tsx";
import { StateShape } from "../state-label/state-shape.tsx";

/** Why something that was sent was not done, as the interface says it. */
export type Refusal = {
  /** 0: no answer came. */
  status: number;
  code: string;
  message: string;
  /** What is wrong with each field, by its name on the wire. */
  fieldErrors: Record<string, string>;
  /** The machine-readable cause of a failed check. */
  reason: string | null;
  /** The gates that are shut, where gates refused it. */
  gates?: readonly Obstacle[];
  requestId: string | null;
  retryAfterSeconds: number | null;
};

/** Says that something was not done and why, with the ID under which the service knows it. `children` is the remedy. */
export function RefusalNote({ refusal, children }: { refusal: Refusal; children?: ReactNode }) {
  return (
    <div role="alert" tabIndex={-1} className="max-w-measure border-danger border-s-2 ps-4">
      <p className="flex items-baseline gap-2 text-17">
        <StateShape shape="cross" className="text-danger" />
        <span className="min-w-0">
          {refusal.gates && refusal.gates.length > 0 ? "A gate stands in the way, and stays shut." : refusal.message}
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
