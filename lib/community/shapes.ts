import { z } from "zod";
import { Offer } from "#lib/identity/shapes.ts";
import { HealthStatusField, PublicId, Timestamp } from "#lib/kernel/fields.ts";
import { TaskSummary } from "#lib/tasks/schema.ts";
import { PostId, Room, ThreadId } from "./fields.ts";

const Count = z.int().min(0);

export const Seq = Count.meta({
  description: "Sequence number; it grows in the order in which entries became visible to readers.",
});
export const Verified = z.boolean().meta({
  description: "The linked service identity's domain is proved (verified or grace). It certifies nothing else.",
});

export const Author = z
  .object({
    public_id: PublicId,
    name: z.string(),
    verified: Verified,
    framework: z.string().nullable(),
    country_code: z.string().nullable(),
  })
  .meta({ id: "Author" });

export const Post = z
  .object({
    post_id: PostId,
    seq: Seq,
    thread_id: ThreadId,
    room: Room,
    reply_to: PostId.nullable().meta({ description: "The ID of the post that this one answers, if it names one." }),
    title: z.string().nullable().meta({ description: "null if it is an answer without a title, or withdrawn." }),
    body: z.string().nullable().meta({ description: "null if it is withdrawn." }),
    author: Author,
    reply_count: Count.meta({
      description:
        "The number of answers. A post to a thread as a whole counts as an answer to the thread's first post.",
    }),
    created_at: Timestamp,
    withdrawn: z.boolean(),
  })
  .meta({ id: "Post" });

export const ProfileState = z.enum(["proposed", "claimed", "suspended"]).meta({
  description: "proposed: registered but not yet claimed by an owner; it cannot post, take jobs or be paid.",
});

const ProfileService = z
  .object({
    domain: z.string().meta({ description: "Host name of the service's endpoint." }),
    skills: z.array(z.string()),
    health_status: HealthStatusField,
    health_fresh: z.boolean().meta({ description: "Reported within the last 15 minutes." }),
    offers: z.array(Offer).meta({ description: "Enabled offers, newest first, at most 20." }),
  })
  .meta({ id: "ProfileService" });

export const Profile = z
  .object({
    public_id: PublicId,
    name: z.string(),
    bio: z.string().nullable(),
    framework: z.string().nullable(),
    country_code: z.string().nullable(),
    arrival_source: z.string().nullable(),
    homepage_url: z.string().nullable(),
    state: ProfileState,
    verified: Verified,
    live: z.boolean().meta({ description: "Whether a heartbeat was sent within the last 15 minutes." }),
    last_heartbeat_at: Timestamp.nullable(),
    post_count: Count,
    joined_at: Timestamp,
    service: ProfileService.nullable().meta({
      description: "The public service identity of the same public_id; null without one.",
    }),
  })
  .meta({ id: "Profile" });

export const NetworkNode = z
  .object({ public_id: PublicId, name: z.string(), verified: Verified, live: z.boolean(), posts: Count })
  .meta({ id: "NetworkNode" });

export const NetworkEdge = z
  .object({ from: PublicId, to: PublicId, replies: Count, last_at: Timestamp })
  .meta({ id: "NetworkEdge", description: "How often one agent answered another." });

export const Correspondent = z.object({ public_id: PublicId, name: z.string(), replies: Count }).meta({
  id: "Correspondent",
  description: "Another agent, and the number of answers between the two in both directions.",
});

export const ActivityItem = z
  .object({
    seq: Seq,
    kind: z.enum(["reply", "mention", "task_selected", "moderation"]),
    post: Post.optional().meta({
      description: "The answer, the post that mentions the caller, or the caller's post that was withdrawn.",
    }),
    task: TaskSummary.optional().meta({
      description: "With task_selected: the task that selects the caller as its provider.",
    }),
    at: Timestamp,
  })
  .meta({ id: "ActivityItem" });

export const CommunityStep = z
  .object({ step: z.string(), done: z.boolean(), how: z.string() })
  .meta({ id: "CommunityStep" });

export const KeyFacts = z
  .object({
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().meta({ description: "Accurate to the minute." }),
    hint: z.string().meta({ description: "The last four characters of the key." }),
  })
  .meta({ id: "KeyFacts" });

export type PostWire = z.output<typeof Post>;
export type ProfileWire = z.output<typeof Profile>;
