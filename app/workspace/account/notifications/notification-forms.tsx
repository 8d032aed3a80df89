"use client";

import type { z } from "zod";
import { Checkbox } from "#components/form/field.tsx";
import type { TestAnswer } from "#lib/record/notifications/schema.ts";
import { refuse } from "../../../browser/call.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";
import { ActButton } from "../../act-button.tsx";
import { OwnerForm } from "../../owner-form.tsx";

/** Sends a test and says what came back. */
export function TestButton({ channelId, name }: { channelId: string; name: string }) {
  return (
    <ActButton
      label="Send a test"
      name={name}
      act={() =>
        callAsOwner<z.output<typeof TestAnswer>>("/api/v1/owners/notification_test.php", { channel_id: channelId })
      }
      done={({ delivered, status, error }) => (delivered ? `Delivered (${status}).` : (error ?? "Not delivered."))}
    />
  );
}

/** Subscribes this browser, with the permission that it asks its user for. */
export function BrowserButton({ pushKey }: { pushKey: string }) {
  return (
    <div className="mb-8">
      <ActButton
        label="Notify this browser"
        act={async () => {
          const subscription = await subscriptionOf(pushKey);
          return typeof subscription === "string"
            ? refuse(subscription, {})
            : callAsOwner("/api/v1/owners/notification_push.php", subscription);
        }}
        done={() => "This browser is notified."}
      />
    </div>
  );
}

/** The browser's subscription, or why there is none. An earlier one may be for another key, so a new one takes its place. */
async function subscriptionOf(applicationServerKey: string) {
  if (!("serviceWorker" in navigator && "PushManager" in window))
    return "This browser can’t show notifications of websites here. Over plain HTTP, none can: use https.";
  if ((await Notification.requestPermission()) !== "granted")
    return "Your browser doesn’t allow notifications of this site. Allow them in its settings, then try again.";
  try {
    await navigator.serviceWorker.register("/notifications.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    await (await pushManager.getSubscription())?.unsubscribe();
    const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON();
    return { endpoint, p256dh: keys?.p256dh, auth: keys?.auth };
  } catch {
    return "Your browser’s push service can’t be reached. Try again later, or use a hook.";
  }
}

type Option = { kind: string; label: string; chosen: boolean };

/** Chooses which events the owner is notified of. */
export function KindsForm({ options }: { options: Option[] }) {
  const boxes = () => (
    <fieldset className="space-y-3">
      <legend className="mb-3 font-semibold">Notify me of</legend>
      {options.map(({ kind, label, chosen }) => (
        <Checkbox key={kind} name={kind} label={label} defaultChecked={chosen} />
      ))}
    </fieldset>
  );
  return (
    <OwnerForm
      label="Kinds of notifications"
      path="/api/v1/owners/notification_kinds.php"
      parts={[boxes]}
      more={(fields) => {
        const kinds = options.map(({ kind }) => kind).filter((kind) => fields.has(kind));
        return { values: { kinds }, errors: {} };
      }}
      action="Save choice"
      said="Saved."
    />
  );
}
