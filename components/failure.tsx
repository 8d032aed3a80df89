import { Copyable } from "./copyable/copyable.tsx";
import { PageHeader } from "./shell/page.tsx";

/** What a page says when it could not be made. The digest is what the server's log knows the error by. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : null;
  return (
    <>
      <PageHeader
        title="This page could not be made"
        lead="The fault is in this service, not in what you did. If you were sending something, look whether it took effect before you send it again."
      />
      <p>
        <button type="button" onClick={retry} className="button">
          Try again
        </button>
      </p>
      {digest ? (
        <p className="mt-6 text-13 text-muted">
          If it goes on, name this error to the administrator: <Copyable value={digest} label="error reference" />
        </p>
      ) : null}
    </>
  );
}
