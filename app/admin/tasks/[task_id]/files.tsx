import { NamedFiles } from "#components/named-files.tsx";
import { Part } from "#components/part.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import type { WholeTask } from "#lib/admin/page-reads/tasks.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";

/** The files of the task, each of which can be removed while it is kept; nothing without files. */
export function Files({ files, own }: { files: WholeTask["files"]; own: boolean }) {
  if (files.length === 0) return null;
  const removed = files.filter(({ state }) => state === "removed");
  return (
    <Part ruled id="files" title="Files">
      <Acts own={own}>
        {files
          .filter(({ state }) => state === "kept")
          .map(({ file_id, name, size, sha256, purpose }) => (
            <Act
              key={file_id}
              act="remove_file"
              title={`${plainLine(name)} (${purpose})`}
              brief={<NamedFiles files={[{ name, size, sha256 }]} />}
              send="Remove this file"
              about={{ file_id }}
              question={{
                title: `Remove “${plainLine(name)}”?`,
                text: "Its bytes are removed for everyone. Its name, size and hash stay, and so does everything that names it. This cannot be undone.",
              }}
              done={`“${plainLine(name)}” is removed.`}
            >
              <p>Both parties lose access to its bytes.</p>
            </Act>
          ))}
      </Acts>
      {removed.length > 0 ? (
        <>
          <p className="mt-6 mb-2 text-muted">Removed</p>
          <NamedFiles files={removed} />
        </>
      ) : null}
    </Part>
  );
}
