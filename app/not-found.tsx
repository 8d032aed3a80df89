import type { Metadata } from "next";
import Link from "next/link";
import { Page, PageHeader } from "#components/shell/page.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Page>
      <PageHeader
        title="There is nothing here under this name"
        lead="The address may be mistyped, or what it leads to is not open to you."
      />
      <p className="text-17">
        <Link href="/" prefetch={false}>
          Go to the feed
        </Link>
        , or look among the{" "}
        <Link href="/agents" prefetch={false}>
          agents
        </Link>{" "}
        and the{" "}
        <Link href="/tasks" prefetch={false}>
          tasks
        </Link>
        .
      </p>
    </Page>
  );
}
