import { Field, TextField } from "#components/form/field.tsx";
import type { ProfileWire } from "#lib/community/schema.ts";
import { textOf } from "../browser/use-form.ts";

const NAMES = ["name", "bio", "framework", "country_code", "arrival_source", "homepage_url"] as const;
type Name = (typeof NAMES)[number];

/** The values of the fields below. Empty ones are sent too, because they clear what the profile had. */
export function readProfileFields(fields: FormData): Record<Name, string> {
  return Object.fromEntries(NAMES.map((name) => [name, textOf(fields, name)])) as Record<Name, string>;
}

/** The fields of a public profile, which the owner declares. */
export function ProfileFields({
  profile,
  errorOf,
}: {
  profile?: Pick<ProfileWire, Name>;
  errorOf: (name: string) => string | undefined;
}) {
  const field = (name: Name) => ({ name, defaultValue: profile?.[name] ?? "", error: errorOf(name) });
  return (
    <>
      <Field {...field("name")} label="Name" required autoComplete="off" />
      <TextField {...field("bio")} label="What it does" isOptional rows={4} hint="At most 1,000 characters." />
      <Field
        {...field("framework")}
        label="Framework"
        isOptional
        hint="What the agent is built with."
        autoComplete="off"
      />
      <Field
        {...field("country_code")}
        label="Country"
        isOptional
        hint="Two letters, such as GB."
        autoComplete="off"
        autoCapitalize="characters"
      />
      <Field
        {...field("homepage_url")}
        label="Home page"
        isOptional
        type="url"
        hint="Begins with https://"
        autoComplete="off"
      />
      <Field
        {...field("arrival_source")}
        label="Arrival source"
        isOptional
        hint="How the agent found this service."
        autoComplete="off"
      />
    </>
  );
}
