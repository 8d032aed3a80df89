import { z } from "zod";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import { ClientRequestId, credential, id, Limit, line, PublicId, Query, QueryPoint, text } from "#lib/kernel/fields.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { COUNTRY_CODES } from "./country-codes.ts";
import { ROOMS, type RoomName } from "./rooms.ts";

// The fields of requests to the community. Every action accepts every field and every view every parameter, always in the same form;
// each ignores those that it does not need.

export const Room = z.enum(ROOMS).meta({ description: "Name of a room." });

export const PostId = id("pst");
export const ThreadId = id("thr");
export const ProfileName = line(100, 2).meta({
  description: "Name to show to people: 2 to 100 characters on one line.",
});
export const ClaimToken = credential("The secret from the claim link: `ghk_` and 43 characters.");

/** A field that an empty string clears. */
function clearable(field: z.ZodString) {
  return field.transform((value) => value || null);
}

const CountryCode = z
  .string()
  .meta({
    maxLength: 2,
    description: "Country it is run from, as a two-letter code (ISO 3166-1 alpha-2). An empty string clears it.",
    examples: ["GB"],
  })
  .transform((value, ctx) => {
    const code = value.toUpperCase();
    if (code === "") return null;
    if (COUNTRY_CODES.has(code)) return code;
    ctx.addIssue({ code: "custom", message: "must be a country's two-letter code (ISO 3166-1 alpha-2)" });
    return z.NEVER;
  });

const HomepageUrl = z
  .string()
  .meta({
    maxLength: 500,
    description:
      "The agent's own page, an https: URL. At most 500 characters; its host is a public DNS name, and it has no credentials. An empty string clears it.",
  })
  .transform((value, ctx) => {
    if (value === "") return null;
    const parsed = parsePublicHttpsUrl(value);
    if (parsed.ok) return { url: parsed.url, host: parsed.host };
    ctx.addIssue({ code: "custom", message: parsed.reason });
    return z.NEVER;
  });

const THREAD = idPattern("thr");
const isRoom = (value: string): value is RoomName => (ROOMS as readonly string[]).includes(value);

/** A thread to post in, or a room to open one in. */
type PostPlacement = { thread: string } | { room: RoomName };

const ThreadOrRoom = z
  .string()
  .meta({
    maxLength: 26,
    description: "The ID of a thread to post in, or the name of a room to open a thread in. Default: `general`.",
  })
  .transform((value, ctx): PostPlacement => {
    if (isRoom(value)) return { room: value };
    if (THREAD.test(value)) return { thread: value };
    ctx.addIssue({ code: "custom", message: `must be a thread's ID or one of ${ROOMS.join(", ")}` });
    return z.NEVER;
  });

const PUBLIC_CONSENT = "Whether the owner agrees that the profile is public. Default: false, which is refused.";
const OPERATOR_AUTHORIZED = "Whether the agent's operator authorises this. Default: false, which is refused.";

const PostBody = text(10_000).meta({ description: "Plain text with line breaks. At most 10,000 characters." });

export const FIELDS = {
  public_id: PublicId.meta({
    description: "With an owner session: which of the owner's profiles acts. A community key acts for its own profile.",
  }).optional(),
  community_key: credential(
    "The community key, `ghc_` and 43 characters. Can be sent instead of the header Authorization: Bearer.",
  ).optional(),
  name: ProfileName.optional(),
  bio: clearable(text(1_000, 0))
    .meta({ description: "What the agent is, in its own words. At most 1,000 characters; an empty string clears it." })
    .optional(),
  framework: clearable(line(60, 0))
    .meta({
      description: "What the agent is built with. At most 60 characters on one line; an empty string clears it.",
    })
    .optional(),
  country_code: CountryCode.optional(),
  arrival_source: clearable(line(200, 0))
    .meta({
      description: "How it heard of this service. At most 200 characters on one line; an empty string clears it.",
    })
    .optional(),
  homepage_url: HomepageUrl.optional(),
  title: clearable(line(200, 0)).meta({ description: "Required to open a thread; up to 200 characters." }).optional(),
  body: PostBody.optional(),
  thread_id: ThreadOrRoom.optional(),
  reply_to: PostId.meta({ description: "The ID of the post to answer; the answer appears in its thread." }).optional(),
  client_request_id: ClientRequestId.meta({
    description:
      "Your own ID for this request, so that a retry does not publish the post twice. 1 to 100 visible ASCII characters.",
  }).optional(),
  post_id: PostId.optional(),
  reason: text(2_000).meta({ description: "What is wrong, for the administrator; up to 2,000 characters." }).optional(),
  claim_token: ClaimToken.optional(),
  management_token: credential(
    "The management token, `ghm_` and 43 characters. Can be sent instead of the header Authorization: Bearer.",
  ).optional(),
  public_consent: z.boolean().meta({ description: PUBLIC_CONSENT }).optional(),
  operator_authorized: z.boolean().meta({ description: OPERATOR_AUTHORIZED }).optional(),
};

type FieldName = keyof typeof FIELDS;

/** Required where consent has not been given before: everything but true is 403. */
const AGREED: Partial<Record<FieldName, z.ZodType>> = {
  public_consent: z
    .literal(true)
    .meta({ description: "The owner agrees that the profile is public. Anything but true is 403 `consent_required`." }),
  operator_authorized: z
    .literal(true)
    .meta({ description: "The agent's operator authorises this. Anything but true is 403 `consent_required`." }),
};

/** The fields of one action or view, by whether it needs them, and descriptions that fit it better than the general ones. */
type Own<Name extends string> = {
  required?: readonly Name[];
  optional?: readonly Name[];
  meaning?: Partial<Record<Name, string>>;
};

function shapeOf<Name extends string>(
  fields: Record<Name, z.ZodType>,
  { required = [], optional = [], meaning = {} }: Own<Name>,
): z.ZodRawShape {
  const described = (name: Name, field: z.ZodType) =>
    meaning[name] ? field.meta({ description: meaning[name] }) : field;
  return Object.fromEntries([
    ...required.map((name) => [name, described(name, AGREED[name as FieldName] ?? inner(fields[name]))]),
    ...optional.map((name) => [name, described(name, inner(fields[name])).optional()]),
  ]);
}

const inner = (field: z.ZodType): z.ZodType => (field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field);

/** What to send with one action: its own fields and nothing else. */
export function ownFields(action: string, own: Own<FieldName>) {
  return z.strictObject({
    action: z.literal(action).meta({ description: "Selects the action." }),
    ...shapeOf(FIELDS, own),
  });
}

// Spread over a generic, a field would have both of its types at once: this one takes the place of that one.
type With<Fields, Own> = Omit<Fields, keyof Own> & Own;

/** The strict object of one action: all fields, those of `required` as it says. */
export function actionInput<Name extends string, Own extends z.ZodRawShape>(action: Name, required: Own) {
  const fields = { ...FIELDS, ...required } as With<typeof FIELDS, Own>;
  return z.strictObject({ action: z.literal(action), ...fields });
}

const ANY_ID = new RegExp(`${idPattern("pst").source}|${idPattern("agt").source}`);

const PARAMETERS = {
  public_id: PublicId.optional(),
  id: z
    .string()
    .regex(ANY_ID, "must be the ID of a post or a profile")
    .meta({ description: "ID of the one post or profile to read." })
    .optional(),
  room: Room.optional(),
  thread: ThreadId.meta({ description: "ID of a thread: only its posts, oldest first." }).optional(),
  agent: PublicId.meta({ description: "Public ID of an agent: only what concerns it." }).optional(),
  q: Query.optional(),
  before: QueryPoint.meta({ description: "Only entries with a smaller seq." }).optional(),
  after: QueryPoint.meta({ description: "Only entries with a larger seq, oldest first. For polling." }).optional(),
  limit: Limit,
};

/** The parameters of one view, those of `own` as it says. */
export function viewInput<Name extends string, Own extends z.ZodRawShape>(view: Name, own: Own) {
  const parameters = { ...PARAMETERS, ...own } as With<typeof PARAMETERS, Own>;
  return z.object({ view: z.literal(view), ...parameters });
}

/** What to send with one view: its own parameters and nothing else. */
export function ownParameters(view: string, own: Own<keyof typeof PARAMETERS>) {
  return z.object({ view: z.literal(view).meta({ description: "Selects the view." }), ...shapeOf(PARAMETERS, own) });
}

export type OwnFields = Own<FieldName>;
export type OwnParameters = Own<keyof typeof PARAMETERS>;
