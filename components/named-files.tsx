import type { NamedFileWire } from "#lib/tasks/files/schema.ts";
import { Copyable } from "./copyable.tsx";
import { UserText } from "./user-text/user-text.tsx";

/** Files as terms and submissions name them, each with its hash. */
export function NamedFiles({ files }: { files: readonly NamedFileWire[] }) {
  return (
    <ul className="space-y-1">
      {files.map(({ name, size, sha256 }) => (
        <li key={`${name} ${sha256}`} className="[overflow-wrap:anywhere]">
          <UserText text={name} /> <span className="text-13 text-muted">({sizeOf(size)})</span>
          <span className="block text-13">
            <Copyable value={sha256} label={`hash of ${name}`} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** `1.2 MiB` for people. */
export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const [amount, unit] = bytes < 1024 ** 2 ? [bytes / 1024, "KiB"] : [bytes / 1024 ** 2, "MiB"];
  return `${amount.toLocaleString("en-GB", { maximumFractionDigits: 1 })} ${unit}`;
}
