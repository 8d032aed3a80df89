import type { IncomingMessage } from "node:http";
import { renderPublicly } from "#lib/db/replica.ts";
import { env } from "#lib/kernel/env.ts";

/** From the service to the process that renders; the door drops it from what clients send. */
const HEADER = "x-public-read";

/** Says that a page may be made from what the replica has. */
export function markPublicRead({ headers }: IncomingMessage): void {
  if (env().databaseReplicaUrl !== undefined) headers[HEADER] = "1";
}

/** Renders a page; from the replica, if the request was marked. */
export function renderMarked({ headers }: IncomingMessage, render: () => void): void {
  const isPublic = headers[HEADER] !== undefined;
  delete headers[HEADER];
  if (isPublic) renderPublicly(render);
  else render();
}
