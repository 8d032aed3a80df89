import { useSyncExternalStore } from "react";
import { agentBase, SERVICE } from "../frame/places.ts";
import { keepInTab, keptInTab } from "./tab-memory.ts";

// The token of a connected tab is kept in one variable of this module: not in React's state, whose copies outlive it, and not in browser
// storage. A tab is connected through one of two doors: by a management token that an operator has pasted, or by the session of the
// agent's owner. Behind both are the same views.

const IDLE_MILLISECONDS = 30 * 60_000;
const WARNING_MILLISECONDS = 60_000;

export type Door = "token" | "session";

/** Why there is no connection: `none` was made yet, or how the last one ended. */
type Ending = "none" | "asked" | "idle" | "refused" | "left" | "reloaded";

export type Connection =
  /** `warned`: it ends in a minute unless the operator acts. */
  | { open: true; publicId: string; door: Door; warned: boolean }
  /** `publicId`: the identity whose connection ended. */
  | { open: false; ending: Ending; publicId: string | null; door: Door };

export const CLOSED: Extract<Connection, { open: false }> = {
  open: false,
  ending: "none",
  publicId: null,
  door: "token",
};

const CONNECTED = "connected";
const ENDED = "ended";

let connection: Connection = CLOSED;
let bearer: string | null = null;
let calls = new AbortController();
let lastActivity = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const endings = new Set<() => void>();

function change(next: Connection): void {
  connection = next;
  for (const listener of [...listeners]) listener();
}

/** Holds the token for this identity until the connection ends. */
export function connect(publicId: string, token: string, door: Door): void {
  disconnect("asked");
  bearer = token;
  calls = new AbortController();
  lastActivity = Date.now();
  for (const event of ACTIVITIES) window.addEventListener(event, noteActivity, { passive: true });
  window.addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", watchClock);
  if (door === "token") keepInTab(CONNECTED, publicId);
  change({ open: true, publicId, door, warned: false });
  watchClock();
}

/** Forgets the token, aborts pending calls and drops everything that was read with it. The token stays valid. */
export function disconnect(ending: Ending): void {
  if (!connection.open) return;
  const { publicId, door } = connection;
  bearer = null;
  calls.abort();
  clearTimeout(timer);
  for (const event of ACTIVITIES) window.removeEventListener(event, noteActivity);
  window.removeEventListener("pagehide", leave);
  document.removeEventListener("visibilitychange", watchClock);
  for (const end of [...endings]) end();
  if (door === "token" && ending !== "left") {
    keepInTab(CONNECTED, null);
    keepInTab(ENDED, publicId);
  }
  change({ open: false, ending, publicId, door });
}

/** The address below which the views of this connection are. */
export function base(): string {
  return connection.open && connection.door === "session" ? agentBase(connection.publicId) : SERVICE;
}

/** After a reload, says whom this tab was connected to, and that it no longer is. */
export function recallConnection(): void {
  if (connection.open || connection.ending !== "none") return;
  const publicId = keptInTab(CONNECTED);
  if (publicId) {
    keepInTab(CONNECTED, null);
    keepInTab(ENDED, publicId);
  }
  change({ ...CLOSED, ending: publicId ? "reloaded" : "none", publicId: publicId ?? keptInTab(ENDED) });
}

/** What a call is sent with; undefined when the tab is not connected. */
export function credentials(): { publicId: string; authorization: string; signal: AbortSignal } | undefined {
  watchClock();
  if (!connection.open || bearer === null) return undefined;
  return { publicId: connection.publicId, authorization: `Bearer ${bearer}`, signal: calls.signal };
}

/** Dismisses the warning and restarts the 30 minutes. */
export function stayConnected(): void {
  watchClock();
  if (!connection.open) return;
  lastActivity = Date.now();
  if (connection.warned) change({ ...connection, warned: false });
  watchClock();
}

/** Calls `end` whenever a connection ends. */
export function onDisconnect(end: () => void): void {
  endings.add(end);
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connection,
    () => CLOSED,
  );
}

const ACTIVITIES = ["pointerdown", "keydown", "wheel", "touchstart"] as const;
const leave = () => disconnect("left");

function noteActivity(): void {
  // Once the warning is shown, only its own buttons count. Waking a sleeping machine does not count either.
  watchClock();
  if (connection.open && !connection.warned) lastActivity = Date.now();
}

/** Checks the clock, because timers stop while a machine sleeps. */
function watchClock(): void {
  // A session that nobody uses ends on the server.
  if (!connection.open || connection.door === "session") return;
  const idle = Date.now() - lastActivity;
  if (idle >= IDLE_MILLISECONDS) {
    disconnect("idle");
    return;
  }
  const untilWarning = IDLE_MILLISECONDS - WARNING_MILLISECONDS - idle;
  if (untilWarning <= 0 && !connection.warned) change({ ...connection, warned: true });
  clearTimeout(timer);
  timer = setTimeout(watchClock, untilWarning > 0 ? untilWarning : IDLE_MILLISECONDS - idle);
}
