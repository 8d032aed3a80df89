import Link from "next/link";

/** The link with which a signed-in owner reports something to the administrator. */
export function ReportLink({ subject, children }: { subject: string; children: string }) {
  return (
    <Link
      href={`/workspace/report?subject=${subject}`}
      prefetch={false}
      className="quiet-link text-13 text-muted pointer-coarse:inline-block pointer-coarse:py-2"
    >
      {children}
    </Link>
  );
}
