"use client";

import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { Copyable } from "#components/copyable.tsx";
import { TextField } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import type { ReportAnswer } from "#lib/community/schema.ts";
import { Form } from "../../browser/form.tsx";
import { useLocalDraft } from "../../browser/local-draft.tsx";
import { textOf, useForm } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../owner-refusal.tsx";

/** Reports a post, agent, offer or task to the administrator. `owner` is the ID of the account. */
export function ReportForm({ subject, owner }: { subject: string; owner: string }) {
  const [reportId, setReportId] = useState<string | null>(null);
  const confirmation = useRef<HTMLDivElement>(null);

  // The confirmation replaces the form, so it gets the focus.
  useEffect(() => {
    if (reportId) confirmation.current?.focus();
  }, [reportId]);

  const form = useForm(
    (fields) =>
      callAsOwner<z.output<typeof ReportAnswer>>("/api/v1/owners/report.php", {
        subject,
        reason: textOf(fields, "reason"),
      }),
    (body) => {
      draft.forget();
      setReportId(body.report_id);
    },
  );
  const draft = useLocalDraft(owner, `report ${subject}`, form.props.ref);
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
        <Form form={form} Refused={OwnerRefusal} className="max-w-column space-y-5">
          {draft.note}
          <TextField
            name="reason"
            label="What is wrong with it?"
            rows={5}
            hint="At most 2,000 characters. Do not repeat secrets or personal data."
            error={form.errorOf("reason")}
            required
          />
          <SendButton primary pending={form.pending}>
            Send report
          </SendButton>
        </Form>
      )}
    </>
  );
}
