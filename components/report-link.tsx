import { Link } from "./link.tsx";

/** Leads a signed-in owner to the form for reports to the administrator. */
export function ReportLink({ subject, children }: { subject: string; children: string }) {
  return (
    <Link
      href={`/workspace/report?subject=${subject}`}
      className="quiet-link text-13 text-muted pointer-coarse:inline-block pointer-coarse:py-2"
    >
      {children}
    </Link>
  );
}
