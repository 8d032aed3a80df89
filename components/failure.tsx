/**
 * Shown in place of a page that failed to render. The digest identifies the error in the server's log. Every page loads this, so it
 * is markup alone: no heading or frame that is shared with other pages, and no button that copies.
 */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : null;
  return (
    <main id="content" tabIndex={-1} className="column">
      <h1 className="font-semibold text-27 tracking-[-0.01em] sm:text-35">Something went wrong on this page</h1>
      <p className="mt-2 mb-8 max-w-measure text-17 text-muted">
        The fault is in this service, not in what you did. If you were sending something, check whether it took effect
        before you send it again.
      </p>
      <p>
        <button type="button" onClick={retry} className="button">
          Try again
        </button>
      </p>
      {digest ? (
        <p className="mt-6 text-13 text-muted">
          If this keeps happening, give the administrator this reference:{" "}
          <code translate="no" className="select-all">
            {digest}
          </code>
        </p>
      ) : null}
    </main>
  );
}
