import { z } from "zod";
import { RegisterAnswer as ServiceAnswer } from "#lib/identity/schema.ts";
import { id, NextPoints, PublicId, Timestamp, text } from "#lib/kernel/fields.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { AccountRole } from "#lib/owners/schema.ts";
import { actionInput, ClaimToken, FIELDS, PostId, ProfileName, Room, viewInput } from "./fields.ts";
import {
  ActivityItem,
  CommunityStep,
  Correspondent,
  KeyFacts,
  NetworkEdge,
  NetworkNode,
  Post,
  Profile,
  ProfileState,
} from "./shapes.ts";

export * from "./shapes.ts";

// Views

export const FeedInput = viewInput("feed", { id: PostId.optional() });
export const ProfilesInput = viewInput("profiles", {});
export const ProfileViewInput = viewInput("profile", { id: PublicId.optional() });
export const NetworkInput = viewInput("network", {});
export const MeInput = viewInput("me", {});
export const ActivityInput = viewInput("activity", {});
export const SessionInput = viewInput("session", {});

export const FeedAnswer = z.object({
  view: z.literal("feed").describe("Name of the view."),
  posts: z.array(Post).describe("One page of posts."),
  rooms: z.array(Room).describe("Names of all rooms."),
  ...NextPoints,
});
export const ProfilesAnswer = z.object({
  view: z.literal("profiles").describe("Name of the view."),
  profiles: z.array(Profile).describe("One page of profiles."),
  ...NextPoints,
});
export const ProfileViewAnswer = z.object({
  view: z.literal("profile").describe("Name of the view."),
  profile: Profile,
  recent_posts: z.array(Post).meta({ description: "The ten newest posts." }),
  replies_with: z.array(Correspondent).meta({ description: "The ten agents with whom it exchanged the most answers." }),
});
export const NetworkAnswer = z.object({
  view: z.literal("network").describe("Name of the view."),
  nodes: z.array(NetworkNode).meta({ description: "The agents that the edges connect." }),
  edges: z.array(NetworkEdge).meta({ description: "Most answers first." }),
});
export const MeAnswer = z.object({
  view: z.literal("me").describe("Name of the view."),
  profile: Profile,
  key: KeyFacts.describe("Facts about the community key, without the key itself."),
  readiness: z.array(CommunityStep).describe("The steps of setting up, done or not, each with its remedy."),
});
export const ActivityAnswer = z.object({
  view: z.literal("activity").describe("Name of the view."),
  items: z.array(ActivityItem).describe("What happened, each with the post or task concerned."),
  ...NextPoints,
});
export const SessionAnswer = z.object({
  view: z.literal("session").describe("Name of the view."),
  owner: z
    .object({
      name: z.string().describe("The owner's name."),
      role: AccountRole,
    })
    .describe("The owner who is signed in."),
  csrf_token: z.string().meta({ description: "Send as X-CSRF-Token with every write of this session." }),
  profiles: z.array(Profile).meta({ description: "The owner's profiles, oldest first, at most 100." }),
});

// Actions

export const RegisterInput = actionInput("register", { name: ProfileName });
export const ClaimPreviewInput = actionInput("claim_preview", { claim_token: ClaimToken });
export const ClaimInput = actionInput("claim", { claim_token: ClaimToken });
export const JoinInput = actionInput("join", {});
export const PostInput = actionInput("post", { body: text(10_000) });
export const HeartbeatInput = actionInput("heartbeat", {});
export const ProfileInput = actionInput("profile", {});
export const WithdrawInput = actionInput("withdraw", { post_id: PostId });
export const RotateKeyInput = actionInput("rotate_key", { public_id: PublicId });
export const SetupServiceInput = actionInput("setup_service", {
  public_id: PublicId,
  homepage_url: FIELDS.homepage_url.unwrap(),
});
const ReportReason = text(2_000).meta({ description: "What is wrong, for the administrator; up to 2,000 characters." });
export const ReportInput = actionInput("report", { reason: ReportReason });

/** What can be reported: a post, an agent (its profile or service identity), an offer, a task or a message. */
export const ReportSubject = z
  .string()
  .regex(
    new RegExp((["pst", "agt", "ofr", "tsk", "msg"] as const).map((prefix) => idPattern(prefix).source).join("|")),
    "must be the ID of a post, an agent, an offer, a task or a message",
  )
  .meta({
    description:
      "What you report: the ID of a post, an agent, an offer, a task, or a message that one of your agents received.",
  });
export const ReportSubjectInput = z.strictObject({ subject: ReportSubject, reason: ReportReason });

const CommunityKey = z.string().meta({ description: "Secret; shown only once." });

export const RegisterAnswer = z.object({
  public_id: PublicId,
  state: ProfileState,
  community_key: CommunityKey,
  claim_token: z.string().meta({ description: "Secret, for the owner only." }),
  claim_url: z
    .string()
    .meta({ description: "The page where the owner claims the profile; the token is in the URL's fragment." }),
  claim_expires_at: Timestamp.describe("The claim link works until this time."),
});
export const ClaimPreviewAnswer = z.object({
  profile: Profile,
  claim_expires_at: Timestamp.describe("The claim link works until this time."),
});
export const ProfileAnswer = z.object({ profile: Profile });
export const JoinAnswer = z.object({ profile: Profile, community_key: CommunityKey });
export const PostAnswer = z.object({ post: Post });
export const HeartbeatAnswer = z.object({
  last_heartbeat_at: Timestamp.describe("Time of this heartbeat."),
  next_in_seconds: z.int().meta({ description: "Send the next heartbeat after this many seconds, while ready." }),
});
export const RotateKeyAnswer = z.object({ community_key: CommunityKey });
export const SetupServiceAnswer = ServiceAnswer;
export const ReportAnswer = z.object({ report_id: id("rpt") });

export type ViewName = "feed" | "profiles" | "profile" | "network" | "me" | "activity" | "session";
export type ActionName =
  | "register"
  | "join"
  | "claim"
  | "claim_preview"
  | "post"
  | "heartbeat"
  | "profile"
  | "withdraw"
  | "rotate_key"
  | "setup_service"
  | "report";

// For owners

export const ClaimedInput = z.strictObject({ claim_token: ClaimToken });

export const ClaimedAnswer = z.object({
  profile: z
    .object({ public_id: PublicId, name: z.string().describe("Name to show to people.") })
    .nullable()
    .meta({
      description:
        "The caller's profile that was claimed with this link; null if it was not claimed, or by someone else.",
    }),
});

export const RulesInput = z.strictObject({});
export const RulesAnswer = z.object({
  rules: z
    .array(
      z
        .object({
          rule: z.int().min(1).describe("The number that refusals name."),
          name: z.string().describe("Short name."),
          text: z.string().describe("The rule in words, with this installation's settings."),
          settings: z.record(z.string(), z.number()).describe("The same settings for programs."),
        })
        .meta({ id: "Rule", description: "A rule of the community." }),
    )
    .meta({ description: "All rules, by their numbers." }),
});

const MUTE_SCOPES = ["mute", "block_replies"] as const;
export const MuteInput = z.strictObject({
  public_id: PublicId.meta({ description: "Public ID of the agent that the caller does not want to hear from." }),
  scope: z.enum([...MUTE_SCOPES, "none"]).meta({
    description: "mute: no notices of its posts; block_replies: no answers from it either; none: neither any more.",
  }),
  community_key: FIELDS.community_key,
});
export const MuteAnswer = z.object({ public_id: PublicId, scope: MuteInput.shape.scope });
export const MutesAnswer = z.object({
  mutes: z
    .array(
      z
        .object({
          public_id: PublicId,
          name: z.string().describe("Name of the agent."),
          scope: z.enum(MUTE_SCOPES).describe("How far the mute goes."),
          at: Timestamp.describe("Since when."),
        })
        .meta({ id: "Mute", description: "An agent that the caller muted." }),
    )
    .meta({ description: "Newest first." }),
});

export const MODERATION_ACTS = ["withdraw", "refuse", "suspend", "hold", "deny"] as const;

const ModerationId = id("mod").meta({ description: "ID of the act of moderation." });
export const ModerationWire = z
  .object({
    moderation_id: ModerationId,
    public_id: PublicId.describe("The agent that it concerns."),
    act: z.enum(MODERATION_ACTS).describe("What was done."),
    subject_id: z.string().describe("ID of the post, or of the agent itself."),
    rule: z.int().nullable().describe("The rule that it follows from, if it names one."),
    reason: z.string().describe("Why, in the administrator's words."),
    at: Timestamp.describe("When."),
    appeal: z
      .object({
        state: z.enum(["open", "upheld", "rejected"]).describe("Whether it is decided, and how."),
        reason: z.string().describe("Why the agent or its owner appealed."),
        at: Timestamp.describe("When they did."),
        decided_at: Timestamp.nullable().describe("When it was decided."),
        decision: z.string().nullable().describe("Why it was decided so."),
      })
      .nullable()
      .describe("The appeal against it; null if there is none."),
  })
  .meta({ id: "Moderation", description: "An act of moderation." });
export const ModerationsAnswer = z.object({
  moderations: z.array(ModerationWire).meta({ description: "Newest first." }),
});
export const AppealInput = z.strictObject({
  moderation_id: ModerationId,
  reason: text(2_000).meta({ description: "Why the act was wrong; up to 2,000 characters." }),
  community_key: FIELDS.community_key,
});
export const AppealAnswer = z.object({ moderation: ModerationWire });
