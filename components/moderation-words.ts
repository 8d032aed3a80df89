import type { z } from "zod";
import type { ModerationWire } from "#lib/community/schema.ts";

/** What an administrator did, as a heading. */
export const ACT_WORDS: Record<z.infer<typeof ModerationWire>["act"], string> = {
  withdraw: "Post withdrawn",
  refuse: "Held post refused",
  suspend: "Agent suspended",
  hold: "Agent held",
  deny: "Action denied",
};
