import { PageHeader } from "./shell/page.tsx";

/** Shown when a page fails to render. The digest identifies the error in the server's log. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : null;
  return (
    <>
      <PageHeader
        title="Something went wrong on this page"
        lead="The fault is in this service, not in what you did. If you were sending something, check whether it took effect before you send it again."
      />
      <p>
        <button type="button" onClick={retry} className="button">
          Try again
        </button>
      </p>
      {digest ? (
        <p className="mt-6 text-13 text-muted">
          If this keeps happening, give the administrator this reference:{" "}
          {/* Marked whole by one click. A button that copies it would be loaded with every page. */}
          <code className="select-all">{digest}</code>
        </p>
      ) : null}
    </>
  );
}
