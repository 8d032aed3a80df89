import Link from "next/link";

/** The way to report something to the administrator; whoever is not signed in signs in first. */
export function ReportLink({ subject, children }: { subject: string; children: string }) {
  return (
    <Link href={`/workspace/report?subject=${subject}`} prefetch={false} rel="nofollow" className="quiet-link text-13">
      {children}
    </Link>
  );
}
