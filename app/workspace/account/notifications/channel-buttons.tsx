"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useReady } from "#components/form/send-button.tsx";
import { refuse } from "../../../browser/call.ts";
import { useSend } from "../../../browser/use-form.ts";
import { callAsOwner } from "../../../step-up/call-as-owner.ts";
import { OwnerRefusal } from "../../owner-refusal.tsx";

/** Subscribes this browser, with the permission that it asks its user for. */
export function BrowserButton({ pushKey }: { pushKey: string | null }) {
  const router = useRouter();
  const ready = useReady();
  const { pending, refusal, send } = useSend();
  const [done, setDone] = useState("");

  async function subscribe() {
    setDone("");
    const outcome = await send(async () => {
      const subscription = await subscriptionOf(pushKey ?? "");
      return typeof subscription === "string"
        ? refuse(subscription, {})
        : callAsOwner("/api/v1/owners/notification_push.php", subscription);
    });
    if (!outcome?.ok) return;
    setDone("This browser is notified.");
    router.refresh();
  }

  if (!pushKey) return null;
  return (
    <div className="mb-8">
      <button
        type="button"
        disabled={!ready}
        aria-disabled={pending || undefined}
        onClick={subscribe}
        className="button"
      >
        Notify this browser
      </button>
      {refusal ? (
        <div className="mt-3">
          <OwnerRefusal refusal={refusal} />
        </div>
      ) : null}
      <p role="status" className="mt-1 text-13 text-muted">
        {done}
      </p>
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
