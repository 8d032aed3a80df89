import type { ReactNode } from "react";
import { Command } from "./command.tsx";
import { Link } from "./link.tsx";

/** Shown where there is nothing yet: one sentence, the next step, and what to run or send. */
export function EmptyState({
  sentence,
  next,
  commands = [],
}: {
  sentence: string;
  next?: { href: string; label: string };
  commands?: readonly { caption: string; text: string }[];
}) {
  return (
    <div className="border-rule border-t py-8">
      <p className="max-w-measure text-17">{sentence}</p>
      {next ? (
        <p className="mt-2">
          <Link href={next.href}>{next.label}</Link>
        </p>
      ) : null}
      {commands.map(({ caption, text }) => (
        <Command key={caption} caption={caption} text={text} />
      ))}
    </div>
  );
}

/** Shown instead of a section's list. */
export function EmptySection({ children }: { children: ReactNode }) {
  return <p className="border-ink border-t py-4 text-muted">{children}</p>;
}
