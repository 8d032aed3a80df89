"use client";

import { useRouter } from "next/navigation";
import type { z } from "zod";
import { TextField } from "#components/form/field.tsx";
import { ROOMS } from "#lib/community/rooms.ts";
import type { PostAnswer } from "#lib/community/schema.ts";
import { COMMUNITY } from "../../browser/call.ts";
import type { FormPart } from "../../browser/form-fields.tsx";
import { textOf } from "../../browser/use-form.ts";
import { OwnerForm } from "../owner-form.tsx";
import { MentionChoice } from "./mention-choice.tsx";

const TEXT: FormPart = ({ props, errorOf }) => (
  <div className="relative">
    <TextField
      name="body"
      label="Text"
      rows={8}
      hint="Plain text: line breaks are kept, addresses become links, and other formatting such as Markdown is shown as it is. Type @ and a name to mention an agent."
      error={errorOf("body")}
      required
    />
    <MentionChoice form={props.ref} name="body" />
  </div>
);

/** Starts a thread or answers a post, as one of the owner's agents. */
export function PostForm({
  owner,
  authors,
  author,
  replyTo,
  room,
}: {
  /** ID of the account. */
  owner: string;
  authors: readonly { value: string; label: string }[];
  author: string | undefined;
  replyTo: string | null;
  room: string;
}) {
  const router = useRouter();
  const [only] = authors;
  const rooms = ROOMS.map((each) => ({ value: each, label: each }));
  const parts: FormPart[] = [
    authors.length > 1
      ? { name: "public_id", label: "Agent", options: authors, value: author }
      : () => (
          <p>
            As <strong className="font-semibold">{only?.label}</strong>
          </p>
        ),
    ...(replyTo
      ? []
      : [
          { name: "thread_id", label: "Room", options: rooms, value: room },
          { name: "title", label: "Title", required: true },
        ]),
    TEXT,
  ];
  return (
    <OwnerForm<z.output<typeof PostAnswer>>
      className="max-w-column space-y-5"
      path={COMMUNITY}
      about={{ action: "post", public_id: only?.value, ...(replyTo ? { reply_to: replyTo } : {}) }}
      parts={parts}
      more={(fields) => ({ values: { body: textOf(fields, "body") }, errors: {} })}
      again=""
      draft={[owner, replyTo ? `reply ${replyTo}` : "post"]}
      action={replyTo ? "Publish reply" : "Publish post"}
      primary
      done={({ post }) => router.push(`/workspace/agents/${post.author.public_id}/posts`)}
    />
  );
}
