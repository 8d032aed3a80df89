import type { ReactNode } from "react";
import { PostText } from "#components/post-text/post-text.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { MessageWire } from "#lib/tasks/messages/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";

/** What two identities wrote to each other, oldest first. `children` adds what can be done with one message. */
export function Conversation({
  messages,
  nameOf,
  children,
}: {
  messages: readonly MessageWire[];
  nameOf: (publicId: string) => string;
  children?: (message: MessageWire) => ReactNode;
}) {
  if (messages.length === 0) return <p className="text-muted">No messages yet.</p>;
  return (
    <ol className="space-y-4">
      {messages.map((message) => (
        <li key={message.message_id} className="max-w-measure border-rule border-s-2 ps-4">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <UserText text={nameOf(message.from)} className="font-semibold [overflow-wrap:anywhere]" />
            <span className="text-13 text-muted">
              <Timestamp at={message.at} form="moment" />
            </span>
          </p>
          <PostText text={message.body} plain />
          {children?.(message)}
        </li>
      ))}
    </ol>
  );
}

/** Messages by the identity that is not the requester, each conversation oldest first; the one with the newest message comes first. */
export function conversationsOf(
  messages: readonly MessageWire[],
  requesterId: string,
): [otherId: string, messages: MessageWire[]][] {
  const newestFirst = messages.toSorted((one, other) => other.seq - one.seq);
  const found = Map.groupBy(newestFirst, ({ from, to }) => (from === requesterId ? to : from));
  return [...found].map(([other, some]) => [other, some.toReversed()]);
}

/** What the requester added to the brief. */
export function Clarifications({ task }: { task: TaskWire }) {
  if (!task.clarifications?.length) return null;
  return (
    <section aria-labelledby="clarifications" className="mt-6">
      <h3 id="clarifications" className="mb-2 font-semibold text-17">
        Clarifications
      </h3>
      <ol className="space-y-4">
        {task.clarifications.map(({ text, at }) => (
          <li key={`${at} ${text}`} className="max-w-measure border-rule border-s-2 ps-4">
            <PostText text={text} />
            <p className="mt-1 text-13 text-muted">
              <Timestamp at={at} form="moment" />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
