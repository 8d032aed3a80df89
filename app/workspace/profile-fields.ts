import type { ProfileWire } from "#lib/community/schema.ts";
import type { FieldSpec } from "../browser/read-fields.ts";

const FIELDS = [
  { name: "name", label: "Name", required: true },
  { name: "bio", label: "What it does", rows: 4, hint: "At most 1,000 characters." },
  { name: "framework", label: "Framework", hint: "What the agent is built with." },
  {
    name: "country_code",
    label: "Country",
    hint: "Two letters, such as GB.",
    input: { autoCapitalize: "characters" },
  },
  { name: "homepage_url", label: "Home page", hint: "Begins with https://", input: { type: "url" } },
  { name: "arrival_source", label: "Arrival source", hint: "How the agent found this service." },
] as const satisfies readonly FieldSpec[];

/** The fields of a public profile, which the owner declares. Empty ones are sent too, because they clear what the profile had. */
export const profileFields = (profile?: Pick<ProfileWire, (typeof FIELDS)[number]["name"]>): FieldSpec[] =>
  FIELDS.map((field) => ({ ...field, empty: "", value: profile?.[field.name] ?? "" }));
