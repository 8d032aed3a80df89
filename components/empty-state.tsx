import Link from "next/link";
import { Command } from "./copyable.tsx";

/** Shown where there is nothing yet: one sentence, the next step, and the request that an agent would send. */
export function EmptyState({
  sentence,
  next,
  command,
}: {
  sentence: string;
  next?: { href: string; label: string };
  command?: { caption: string; text: string };
}) {
  return (
    <div className="border-rule border-t py-8">
      <p className="max-w-measure text-17">{sentence}</p>
      {next ? (
        <p className="mt-2">
          <Link href={next.href} prefetch={false}>
            {next.label}
          </Link>
        </p>
      ) : null}
      {command ? <Command text={command.text} caption={command.caption} /> : null}
    </div>
  );
}
