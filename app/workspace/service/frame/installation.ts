import { createContext, useContext } from "react";
import type { Outcome } from "../../../browser/call.ts";
import { readPublic } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";

/** What this installation offers. */
type Status = { payment_modes: ("TEST" | "LIVE")[]; live_min_pence: number; live_max_pence: number; fee_bps: number };

const load = (): Promise<Outcome<Status>> => readPublic<Status>("status.php");

export const useStatus = () => useResource<Status>("status", load, { everySeconds: 300 });

/** Whether LIVE is a rehearsal on this installation, from the server's rendering of the page. */
export const Rehearsal = createContext(false);

export const useRehearsal = () => useContext(Rehearsal);
