"use client";

import { Failure } from "#components/failure.tsx";
import { Page } from "#components/shell/page.tsx";

export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Page>
      <Failure error={error} retry={retry} />
    </Page>
  );
}
