import { setTimeout as delay } from "node:timers/promises";
import { log } from "#lib/kernel/log.ts";
import { oneAtATime } from "#lib/kernel/one-at-a-time.ts";
import { type PlacedEvent, readHead, readPlaced } from "./read.ts";

/** The channel on which the sequencer announces the highest position, once a batch. */
export const CHANNEL = "guildhall_events";

type OnPositions = (head: number) => void;
type OnEvents = (events: readonly PlacedEvent[]) => void;

/** The most events that are read at once. */
const READ = 500;
const RETRY_MS = 500;

// The service and Next load their own copies of this module. Only the service's copy hears anything.
const positionListeners = new Set<OnPositions>();
const eventListeners = new Set<OnEvents>();
/** The highest position that this process knows of. */
let head = 0;
/** The last position that was passed to the listeners of events. */
let passed = 0;
/** Settled once this process hears of new events. What is read after it and followed from then on has no gap. */
let listening = Promise.withResolvers<void>();
let isExpected = false;
let isListening = false;

/** Calls the listener with the highest position whenever there are new ones. @returns what ends that */
export function onPositions(listener: OnPositions): () => void {
  positionListeners.add(listener);
  return () => positionListeners.delete(listener);
}

/** Calls the listener with new events as they get their positions. @returns what ends that */
export function onEvents(listener: OnEvents): () => void {
  if (eventListeners.size === 0) passed = head;
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
}

/** To be called when this process starts to listen. */
export function expectTail(): void {
  isExpected = true;
}

/**
 * Waits until this process hears of new events, which takes a moment after its start.
 * @returns false if that takes longer than `ms`, or the record was not started in this process
 */
export function isTailOpen(ms: number): boolean | Promise<boolean> {
  if (isListening) return true;
  if (!isExpected) return false;
  let timer: NodeJS.Timeout;
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(done, ms, false);
  });
  return Promise.race([listening.promise.then(() => true), late]).finally(() => clearTimeout(timer));
}

/** A notification of the sequencer. */
export function heard(payload: string): void {
  if (isListening) moveTo(Number(payload));
}

/** Finds out what was missed while there was no connection. The first time, that is nothing: nobody has followed events yet. */
export async function catchUp(): Promise<void> {
  const position = await readHead();
  if (isListening) return moveTo(position);
  head = passed = position;
  isListening = true;
  listening.resolve();
}

/** To be called when this process no longer listens: what it knows may belong to another database the next time. */
export function closeTail(): void {
  head = passed = 0;
  isExpected = isListening = false;
  listening = Promise.withResolvers<void>();
}

function moveTo(position: number): void {
  if (!(position > head)) return;
  head = position;
  if (eventListeners.size === 0) passed = head;
  else void passOn();
  for (const listener of positionListeners) guarded(() => listener(head));
}

/** Reads the new events once, for all listeners. */
const passOn = oneAtATime(async () => {
  while (passed < head && eventListeners.size > 0) {
    try {
      const events = await readPlaced(passed, READ);
      passed = events.at(-1)?.position ?? head;
      for (const listener of eventListeners) guarded(() => listener(events));
    } catch (error) {
      log().warn({ err: (error as Error).message }, "new events could not be read");
      await delay(RETRY_MS);
    }
  }
});

function guarded(call: () => void): void {
  try {
    call();
  } catch (error) {
    log().error({ err: (error as Error).message }, "a listener to events failed");
  }
}
