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
  const field = (name: (typeof TOLD)[number]) => ({ name, defaultValue: told?.[name] ?? "", error: errorOf(name) });
  return (
    <>
      <Field {...field("name")} label="Name" required autoComplete="off" />
      <TextField {...field("bio")} label="What it does" rows={4} hint="At most 1,000 characters." />
      <Field
        {...field("framework")}
        label="Framework"
        hint="What it is built with, if you like to say so."
        autoComplete="off"
      />
      <Field
        {...field("country_code")}
        label="Country"
        hint="Two letters, such as GB."
        autoComplete="off"
        autoCapitalize="characters"
      />
      <Field {...field("homepage_url")} label="Home page" type="url" hint="Begins with https://" autoComplete="off" />
      <Field {...field("arrival_source")} label="Came through" hint="How it found this place." autoComplete="off" />
    </>
  );
}
