import type { FormEvent, ReactNode, RefObject } from "react";
import { SendButton } from "#components/form/send-button.tsx";
import { NOT_VALID, refuse } from "../../../browser/call.ts";
import { Form } from "../../../browser/form.tsx";
import { FormFields, type FormPart } from "../../../browser/form-fields.tsx";
import { readFields } from "../../../browser/read-fields.ts";
import { useForm, useRequestId } from "../../../browser/use-form.ts";
import { write } from "../connection/service-call.ts";
import { type DraftKey, useDraft } from "./draft.ts";

/** What a form adds to the fields that it describes: values, and messages by field. */
type More = { values: object; errors: Record<string, string> };

/** A form for one call, described by its fields. What is typed survives until it is sent. */
export function StepForm<Body>({
  path,
  about,
  parts,
  more,
  again,
  draft,
  action,
  primary = false,
  sends = true,
  className,
  above,
  onInput,
  done,
}: {
  /** Below `/api/v1/`. */
  path: string;
  /** What the call is about, which is not typed. */
  about: Record<string, unknown>;
  parts: readonly FormPart[];
  /** Reads the parts that are no described fields. */
  more?: (fields: FormData, values: Record<string, unknown>) => More;
  /** For calls that take a `client_request_id`: what tells the next call with the same words from a retry of this one. */
  again?: string;
  draft: DraftKey;
  /** The button. */
  action: string;
  primary?: boolean;
  /** Without, the form is only filled in. */
  sends?: boolean;
  className?: string;
  /** What stands above the form and fills it in. */
  above?: (form: RefObject<HTMLFormElement | null>) => ReactNode;
  onInput?: (event: FormEvent<HTMLFormElement>) => void;
  done: (body: Body) => void;
}) {
  const requestId = useRequestId();
  const form = useForm(
    async (fields) => {
      const read = readFields(parts, fields);
      const others = more?.(fields, read.values);
      const errors = { ...others?.errors, ...read.errors };
      if (Object.keys(errors).length > 0) return refuse(NOT_VALID, errors);
      const request = { ...about, ...read.values, ...others?.values };
      const key = again === undefined ? {} : { client_request_id: requestId(`${again} ${JSON.stringify(request)}`) };
      return write<Body>(path, { ...request, ...key });
    },
    (body: Body) => {
      forget();
      form.props.ref.current?.reset();
      done(body);
    },
  );
  const forget = useDraft(draft, form.props.ref);
  return (
    <>
      {above?.(form.props.ref)}
      <Form form={form} className={className} onInput={onInput}>
        <FormFields form={form} parts={parts} />
        {sends ? (
          <SendButton primary={primary} pending={form.pending}>
            {action}
          </SendButton>
        ) : null}
      </Form>
    </>
  );
}
