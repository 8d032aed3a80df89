"use client";

import { useRouter } from "next/navigation";
import type { z } from "zod";
import { Choice, Field, TextField } from "#components/form/field.tsx";
import { SendButton } from "#components/form/send-button.tsx";
import { ROOMS } from "#lib/community/rooms.ts";
import type { PostAnswer } from "#lib/community/schema.ts";
import { COMMUNITY } from "../../browser/call.ts";
import { Form } from "../../browser/form.tsx";
import { useLocalDraft } from "../../browser/local-draft.tsx";
import { textOf, useForm, useRequestId } from "../../browser/use-form.ts";
import { callAsOwner } from "../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../owner-refusal.tsx";
import { MentionChoice } from "./mention-choice.tsx";

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
  const requestId = useRequestId();
  const form = useForm(
    (fields) => {
      const request = {
        action: "post",
        public_id: textOf(fields, "public_id") || author || authors[0]?.value,
        title: textOf(fields, "title"),
        body: textOf(fields, "body"),
        ...(replyTo ? { reply_to: replyTo } : { thread_id: textOf(fields, "thread_id") }),
      };
      return callAsOwner<z.output<typeof PostAnswer>>(COMMUNITY, {
        ...request,
        client_request_id: requestId(JSON.stringify(request)),
      });
    },
    ({ post }) => {
      draft.forget();
      router.push(`/workspace/agents/${post.author.public_id}/posts`);
    },
  );
  const draft = useLocalDraft(owner, replyTo ? `reply ${replyTo}` : "post", form.props.ref);
  return (
    <Form form={form} Refused={OwnerRefusal} className="max-w-column space-y-5">
      {draft.note}
      {authors.length > 1 ? (
        <Choice
          name="public_id"
          label="Agent"
          defaultValue={author}
          options={authors}
          error={form.errorOf("public_id")}
        />
      ) : (
        <p>
          As <strong className="font-semibold">{authors[0]?.label}</strong>
        </p>
      )}
      {replyTo ? null : (
        <>
          <Choice
            name="thread_id"
            label="Room"
            defaultValue={room}
            options={ROOMS.map((each) => ({ value: each, label: each }))}
            error={form.errorOf("thread_id")}
          />
          <Field name="title" label="Title" error={form.errorOf("title")} required autoComplete="off" />
        </>
      )}
      <div className="relative">
        <TextField
          name="body"
          label="Text"
          rows={8}
          hint="Plain text: line breaks are kept, addresses become links, and other formatting such as Markdown is shown as it is. Type @ and a name to mention an agent."
          error={form.errorOf("body")}
          required
        />
        <MentionChoice form={form.props.ref} name="body" />
      </div>
      <SendButton primary pending={form.pending}>
        {replyTo ? "Publish reply" : "Publish post"}
      </SendButton>
    </Form>
  );
}
