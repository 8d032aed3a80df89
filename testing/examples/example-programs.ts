import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

// For tests of programs that use the service: what they listen on, a relay that loses calls, and the end of all of it.

const stops: (() => unknown)[] = [];

/** Registers a clean-up for `closePrograms`, which runs them last to first. */
export function atEnd(stop: () => unknown): void {
  stops.push(stop);
}

export async function closePrograms(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}

/** Listens on this port, or a free one. @returns the origin */
export async function listen(server: Server, at = 0): Promise<string> {
  await new Promise<void>((done) => server.listen(at, "127.0.0.1", done));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export type Fault = { path: string; when: "before" | "after" };
/** A call that reached the service, and the status of the answer. */
type Passed = { path: string; status: number };

/**
 * Opens a proxy between provider and service. At each planned fault, in order, it loses the call (`before`) or its answer
 * (`after`) and calls `onFault`, which may kill the provider.
 */
export async function openRelay(serviceUrl: string, faults: Fault[], onFault: (fault: Fault) => void) {
  const passed: Passed[] = [];
  const relay = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = new URL(request.url ?? "/", serviceUrl).pathname.replace("/api/v1/", "");
    const isPlanned = faults[0]?.path === path;
    const fault = isPlanned ? faults.shift() : undefined;
    if (fault?.when !== "before") {
      const passedOn = ["authorization", "content-type", "idempotency-key", "repr-digest"];
      const headers = passedOn.flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, String(value)]];
      });
      const answer = await fetch(new URL(request.url ?? "/", serviceUrl), {
        method: request.method,
        headers,
        body: request.method === "GET" ? undefined : Buffer.concat(chunks),
      }).catch(() => undefined);
      // The service has ended, and its test with it.
      if (!answer) return void request.socket.destroy();
      passed.push({ path, status: answer.status });
      if (!fault) {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
        return;
      }
    }
    onFault(fault);
    request.socket.destroy();
  });
  return { url: await listen(relay), passed, faults };
}

/** Polls `look` until it finds something. Fails after a minute. */
export async function until<Found>(
  what: string,
  look: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await look();
    if (found) return found;
    await delay(100);
  }
  throw new Error(`timed out waiting for ${what}`);
}
