import { type ComponentProps, type ReactNode, type RefObject, useState } from "react";
import { SendButton } from "#components/form/send-button.tsx";
import { NOT_VALID, type Outcome, refuse } from "./call.ts";
import { Form } from "./form.tsx";
import { FormFields, type FormPart } from "./form-fields.tsx";
import { readFields } from "./read-fields.ts";
import { type DraftPlace, useDraft } from "./use-draft.tsx";
import { useForm, useRequestId } from "./use-form.ts";

/** What a form adds to the fields that it describes: values, and messages by field. */
type More = { values: object; errors: Record<string, string> };

export type Description<Body> = Omit<ComponentProps<typeof Form>, "form" | "children"> & {
  /** What the call is about, which is not typed. */
  about?: object;
  parts: readonly FormPart[];
  /** Reads the parts that are no described fields. */
  more?: (fields: FormData, values: Record<string, unknown>) => More;
  /** For calls that take a `client_request_id`: what tells the next call with the same words from a retry of this one. */
  again?: string;
  /** The button. */
  action: string;
  primary?: boolean;
  /** Without, the form is only filled in. */
  sends?: boolean;
  /** Empties the form once it is sent. */
  clears?: boolean;
  /** What is said beside the button once it is sent. */
  said?: string | ((body: Body) => string);
  /** The message above fields that are not valid. */
  wrong?: string;
  /** What stands above the form and fills it in. */
  above?: (form: RefObject<HTMLFormElement | null>) => ReactNode;
  /** What stands before the button, such as "Not now". */
  before?: ReactNode;
  done?: (body: Body) => void;
};

/** A form for one call, described by its fields. */
export function DescribedForm<Body>({
  about,
  parts,
  more,
  again,
  action,
  primary = false,
  sends = true,
  clears = false,
  said,
  wrong = NOT_VALID,
  above,
  before,
  done,
  draft,
  send,
  ...frame
}: Description<Body> & { draft?: DraftPlace | undefined; send: (request: object) => Promise<Outcome<Body>> }) {
  const requestId = useRequestId();
  const [words, setWords] = useState("");
  const form = useForm(
    async (fields) => {
      setWords("");
      const read = readFields(parts, fields);
      const others = more?.(fields, read.values);
      const errors = { ...others?.errors, ...read.errors };
      if (Object.keys(errors).length > 0) return refuse(wrong, errors);
      const request = { ...about, ...read.values, ...others?.values };
      const key = again === undefined ? {} : { client_request_id: requestId(`${again} ${JSON.stringify(request)}`) };
      return send({ ...request, ...key });
    },
    (body: Body) => {
      forget();
      if (clears) form.props.ref.current?.reset();
      if (said) setWords(typeof said === "string" ? said : said(body));
      done?.(body);
    },
  );
  const { forget, note } = useDraft(draft, form.props.ref);
  return (
    <>
      {above?.(form.props.ref)}
      <Form form={form} {...frame}>
        {note}
        <FormFields form={form} parts={parts} />
        {sends ? (
          <div className="flex flex-wrap items-center gap-4">
            {before}
            <SendButton primary={primary} pending={form.pending}>
              {action}
            </SendButton>
            {said ? <p role="status">{words}</p> : null}
          </div>
        ) : null}
      </Form>
    </>
  );
}
