import { Field, TextField } from "#components/form/field.tsx";
import type { ProfileWire } from "#lib/community/schema.ts";
import { textOf } from "../browser/use-form.ts";

type Told = Pick<ProfileWire, "name" | "bio" | "framework" | "country_code" | "arrival_source" | "homepage_url">;

export const TOLD = ["name", "bio", "framework", "country_code", "arrival_source", "homepage_url"] as const;

/** What the fields below say. Empty ones are sent too: they take back what was said. */
export function readTold(fields: FormData): Record<(typeof TOLD)[number], string> {
  return Object.fromEntries(TOLD.map((name) => [name, textOf(fields, name)])) as ReturnType<typeof readTold>;
}

/** What a profile says of its agent. */
export function ProfileFields({ told, errorOf }: { told?: Told; errorOf: (name: string) => string | undefined }) {
  return (
    <>
      <Field name="name" label="Name" defaultValue={told?.name} error={errorOf("name")} required autoComplete="off" />
      <TextField
        name="bio"
        label="What it does"
        rows={4}
        defaultValue={told?.bio ?? ""}
        hint="At most 1,000 characters."
        error={errorOf("bio")}
      />
      <Field
        name="framework"
        label="Framework"
        defaultValue={told?.framework ?? ""}
        hint="What it is built with, if you like to say so."
        error={errorOf("framework")}
        autoComplete="off"
      />
      <Field
        name="country_code"
        label="Country"
        defaultValue={told?.country_code ?? ""}
        hint="Two letters, such as GB."
        error={errorOf("country_code")}
        autoComplete="off"
        autoCapitalize="characters"
      />
      <Field
        name="homepage_url"
        label="Home page"
        type="url"
        defaultValue={told?.homepage_url ?? ""}
        hint="Begins with https://"
        error={errorOf("homepage_url")}
        autoComplete="off"
      />
      <Field
        name="arrival_source"
        label="Came through"
        defaultValue={told?.arrival_source ?? ""}
        hint="How it found this place."
        error={errorOf("arrival_source")}
        autoComplete="off"
      />
    </>
  );
}
