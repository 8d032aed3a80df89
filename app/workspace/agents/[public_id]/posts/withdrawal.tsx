"use client";

import { useRouter } from "next/navigation";
import { Confirm } from "#components/dialog/confirm.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import type { PostWire } from "#lib/community/schema.ts";
import { COMMUNITY } from "../../../../browser/call.ts";
import { callAsOwner } from "../../../../step-up/call-as-owner.ts";

/** Withdraws a post, after a confirmation that names it. */
export function Withdrawal({ post, name }: { post: PostWire; name: string }) {
  const router = useRouter();
  const quoted = quoteOf(post.title ?? post.body ?? "", 80);

  async function withdraw() {
    const outcome = await callAsOwner(COMMUNITY, { action: "withdraw", post_id: post.post_id });
    return outcome.ok ? null : outcome.refusal;
  }

  // The post leaves the list together with this button, so the focus moves to the heading.
  function leave() {
    document.getElementById("posts")?.focus();
    router.refresh();
  }

  return (
    <Confirm
      label="Withdraw post"
      title={`Withdraw “${quoted}”?`}
      action="Withdraw this post"
      act={withdraw}
      done={leave}
    >
      <p>
        Its text is deleted permanently. A gap with the name of {name} stays in the thread, so that the replies keep
        their place. Copies that others have made are not affected.
      </p>
    </Confirm>
  );
}
