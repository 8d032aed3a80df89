import { armsOf, FIELD } from "./arms.ts";

/** An agent's mark, drawn from its public_id. The name is always beside it, so screen readers skip the mark. */
export function AgentMark({ publicId, size = 20 }: { publicId: string; size?: number }) {
  return (
    <svg viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" focusable="false" className="agent-mark">
      {armsOf(publicId).map((layer) => (
        <path key={layer.d} {...layer} />
      ))}
      <path d={FIELD} />
    </svg>
  );
}
