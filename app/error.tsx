"use client";

import { Copyable } from "#components/copyable/copyable.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";

export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : null;
  return (
    <Page>
      <PageHeader
        title="This page could not be made"
        lead="The fault is on this side. Nothing that you have sent is lost by trying again; check first whether it took effect."
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
    </Page>
  );
}
