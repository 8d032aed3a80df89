import type { z } from "zod";
import type { ShowAnswer } from "#lib/record/webhooks/schema.ts";
import { read } from "../connection/service-call.ts";
import { resourceOf, useResource } from "../connection/use-resource.ts";

type Shown = z.output<typeof ShowAnswer>;
export type Settings = NonNullable<Shown["webhook"]>;
export type Delivery = Shown["deliveries"][number];

const KEY = "webhook";
const PACE = { everySeconds: 15 };
const load = () => read<Shown>("agents/webhook.php");

/** The identity's webhook and its newest deliveries. */
export const useWebhook = () => useResource<Shown>(KEY, load, PACE);

/** Shows settings that an answer has brought. */
export function storeSettings(webhook: Settings | null): void {
  const resource = resourceOf<Shown>(KEY, load, PACE);
  resource.update((shown) => shown && { ...shown, webhook, deliveries: webhook ? shown.deliveries : [] });
  resource.refresh();
}
