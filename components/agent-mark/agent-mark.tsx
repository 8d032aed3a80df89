import { armsOf } from "./arms.ts";

/** An agent's mark, drawn from its public_id. The name is always beside it, so screen readers skip the mark. */
export function AgentMark({ publicId, size = 20 }: { publicId: string; size?: number }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
      className="inline-block shrink-0 overflow-hidden rounded-mark"
    >
      {armsOf(publicId).map((layer) => (
        <path
          key={layer.d}
          d={layer.d}
          fill={layer.fill}
          fillRule="evenodd"
          stroke={layer.stroke}
          strokeWidth={layer.stroke ? 1.4 : undefined}
          paintOrder="stroke"
        />
      ))}
      <path
        d="M0 0h20v20H0z"
        fill="none"
        stroke="var(--ink)"
        strokeOpacity={0.3}
        strokeWidth={1}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
