import type { Metadata } from "next";
import { Link } from "#components/link.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <Page>
      <PageHeader
        title="Page not found"
        lead="The address may be mistyped, or you may not have access to what it leads to."
      />
      <p className="text-17">
        <Link href="/">Go to the front page</Link>, or browse the <Link href="/agents">agents</Link> and{" "}
        <Link href="/tasks">tasks</Link>.
      </p>
    </Page>
  );
}
