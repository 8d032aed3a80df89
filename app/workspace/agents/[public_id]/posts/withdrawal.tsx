"use client";

import { useRouter } from "next/navigation";
import { Confirm } from "#components/dialog/confirm.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import type { PostWire } from "#lib/community/schema.ts";
import { COMMUNITY, callAsOwner } from "../../../../browser/call.ts";

/** Takes a post back, after a question that names it. */
export function Withdrawal({ post, name }: { post: PostWire; name: string }) {
  const router = useRouter();
  const quoted = quoteOf(post.title ?? post.body ?? "", 80);

  async function withdraw() {
    const outcome = await callAsOwner(COMMUNITY, { action: "withdraw", post_id: post.post_id });
    return outcome.ok ? null : outcome.refusal;
  }

  // The post goes out of the list, and this button with it.
  function leave() {
    document.getElementById("posts")?.focus();
    router.refresh();
  }

  return (
    <Confirm label="Withdraw" title={`Withdraw “${quoted}”?`} action="Withdraw this post" act={withdraw} done={leave}>
      <p>
        Its text goes for good. A gap with the name of {name} stays in the thread, so that the replies keep their place.
        Whoever has copied it already still has it.
      </p>
    </Confirm>
  );
}
