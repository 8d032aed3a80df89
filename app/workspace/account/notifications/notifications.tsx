import type { z } from "zod";
import { optionsOf } from "#components/form/options.ts";
import { Part } from "#components/part.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { type Channel, KIND_WORDS, KINDS, type NotificationKind } from "#lib/record/notifications/schema.ts";
import { EntryButton } from "../../act-button.tsx";
import { OwnerForm } from "../../owner-form.tsx";
import { BrowserButton, KindsForm, TestButton } from "./notification-forms.tsx";

type Shown = z.output<typeof Channel>;
type Props = { kinds: NotificationKind[]; channels: Shown[]; pushKey: string | null };

const FORMATS = optionsOf({ slack: "Slack and compatible", ntfy: "ntfy", json: "Plain JSON" });
const FORMAT_NAMES: Record<Shown["kind"], string> = { push: "Browser", slack: "Slack", ntfy: "ntfy", json: "Hook" };

/** What the owner is told about, and where. Nothing is sent until a browser or a hook is set up. */
export function Notifications({ kinds, channels, pushKey }: Props) {
  const replaces = channels.some(({ kind }) => kind !== "push");
  return (
    <Part id="notifications" title="Notifications" className="mt-12">
      <p className="mb-5 max-w-measure">
        A message says what happened, to which agent, and where to look. It never contains a brief or an amount, and
        nothing can be decided in it. Guildhall sends no e-mail.
      </p>
      {channels.length > 0 ? (
        <ul className="mb-5 border-rule border-t">
          {channels.map((channel) => (
            <ChannelRow key={channel.channel_id} channel={channel} />
          ))}
        </ul>
      ) : null}
      {pushKey ? <BrowserButton pushKey={pushKey} /> : null}
      <OwnerForm
        label="Outgoing hook"
        className="mb-10 max-w-140 space-y-5"
        path="/api/v1/owners/notification_hook.php"
        parts={[
          {
            name: "url",
            label: "Hook URL",
            code: true,
            required: true,
            hint: `An https address that takes POST requests. It is a secret: it is not shown again.${replaces ? " It replaces your present hook." : ""}`,
            input: { masked: true, placeholder: "https://" },
          },
          { name: "format", label: "Format", options: FORMATS },
        ]}
        action={replaces ? "Replace hook" : "Set up hook"}
        clears
        said="The hook is set up. Send it a test."
      />
      <KindsForm options={KINDS.map((kind) => ({ kind, label: KIND_WORDS[kind], chosen: kinds.includes(kind) }))} />
    </Part>
  );
}

function ChannelRow({ channel }: { channel: Shown }) {
  const { channel_id: id, kind, label, state, last_error: error, last_sent_at: sentAt, created_at: since } = channel;
  const name = `${FORMAT_NAMES[kind]}: ${label}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-rule border-b py-2">
      <div className="min-w-0 flex-1 basis-80">
        <p className="[overflow-wrap:anywhere]">{name}</p>
        <p className="text-13 text-muted">
          set up <Timestamp at={since} />
          <WordsWithTime words=", last reached" at={sentAt} />
        </p>
        {state === "active" ? null : (
          <p className="text-13 text-danger">
            {state === "failing" ? "Failing, and retried automatically. " : "Disabled: set it up again. "}
            {error}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-start gap-3">
        <TestButton channelId={id} name={name} />
        <EntryButton
          label="Remove"
          name={name}
          path="/api/v1/owners/notification_remove.php"
          fields={{ channel_id: id }}
          list="notifications"
        />
      </div>
    </li>
  );
}
