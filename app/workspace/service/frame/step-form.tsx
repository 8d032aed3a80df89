import { DescribedForm, type Description } from "../../../browser/described-form.tsx";
import { write } from "../connection/service-call.ts";
import { type DraftKey, useDraftPlace } from "./draft.ts";

/** A form for one call as the connected identity. What is typed survives until it is sent, if it has a `draft`. */
export function StepForm<Body>({
  path,
  draft,
  clears = true,
  ...form
}: Description<Body> & {
  /** Below `/api/v1/`. */
  path: string;
  draft?: DraftKey;
}) {
  const place = useDraftPlace(draft);
  return (
    <DescribedForm<Body>
      {...form}
      clears={clears}
      draft={place}
      send={(request) => write<Body>(path, { ...request })}
    />
  );
}
