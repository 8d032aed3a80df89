"use client";

import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { Copyable } from "#components/copyable.tsx";
import type { ReportAnswer } from "#lib/community/schema.ts";
import { OwnerForm } from "../owner-form.tsx";

/** Reports a post, agent, offer or task to the administrator. `owner` is the ID of the account. */
export function ReportForm({ subject, owner }: { subject: string; owner: string }) {
  const [reportId, setReportId] = useState<string | null>(null);
  const confirmation = useRef<HTMLDivElement>(null);

  // The confirmation replaces the form, so it gets the focus.
  useEffect(() => {
    if (reportId) confirmation.current?.focus();
  }, [reportId]);

  return (
    <>
      <div ref={confirmation} role="status" tabIndex={-1}>
        {reportId ? (
          <p className="max-w-measure text-17">
            Reported. Your report has the ID <Copyable value={reportId} label="report ID" />.
          </p>
        ) : null}
      </div>
      {reportId ? null : (
        <OwnerForm<z.output<typeof ReportAnswer>>
          className="max-w-column space-y-5"
          path="/api/v1/owners/report.php"
          about={{ subject }}
          parts={[
            {
              name: "reason",
              label: "What is wrong with it?",
              rows: 5,
              required: true,
              hint: "At most 2,000 characters. Do not repeat secrets or personal data.",
            },
          ]}
          draft={[owner, `report ${subject}`]}
          action="Send report"
          primary
          done={({ report_id: id }) => setReportId(id)}
        />
      )}
    </>
  );
}
