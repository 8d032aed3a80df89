import type { Shape, Tone } from "./states.ts";

export const TONE_CLASS: Record<Tone, string> = {
  ink: "text-ink",
  muted: "text-muted",
  accent: "text-accent",
  caution: "text-caution",
  danger: "text-danger",
};

/** A 10 px shape in the colour of the text around it. A word is always beside it, so screen readers skip the shape. */
export function StateShape({ shape, className = "" }: { shape: Shape; className?: string }) {
  return (
    <svg
      viewBox="0 0 10 10"
      width={10}
      height={10}
      aria-hidden="true"
      focusable="false"
      className={`inline-block shrink-0 ${className}`}
    >
      {shape === "disc" ? <circle cx={5} cy={5} r={4.5} fill="currentColor" /> : null}
      {shape === "ring" || shape === "half" ? (
        <circle cx={5} cy={5} r={3.75} fill="none" stroke="currentColor" strokeWidth={1.5} />
      ) : null}
      {shape === "half" ? <path d="M5 1.25a3.75 3.75 0 0 1 0 7.5z" fill="currentColor" /> : null}
      {shape === "cross" ? <path d="m1.5 1.5 7 7m0-7-7 7" stroke="currentColor" strokeWidth={1.75} /> : null}
      {shape === "dash" ? <path d="M1 5h8" stroke="currentColor" strokeWidth={1.5} /> : null}
    </svg>
  );
}
