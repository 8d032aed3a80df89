import type { RequestListener } from "node:http";
import { clientAddress } from "#lib/api/callers/client-address.ts";
import { isDocument } from "#lib/api/documents/find.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { refuse } from "../front/refusal.ts";

/**
 * Only a few pages are rendered at once. The others wait in a queue, and a page whose visitors have all gone is not rendered. A render that takes
 * too long loses its place, whatever became of it.
 */
const RENDERS = { atOnce: 2, waiting: 64, waitingPerAddress: 24, waitSeconds: 10, renderSeconds: 30 } as const;

const RETRY_SECONDS = 5;

type Waiting = { address: string; start(): void };

/**
 * Renders a few pages at a time. Others wait, and their addresses take turns, so that one that asks for many slow pages delays only
 * itself; those that find no room, or wait too long, get 503.
 */
export function limitRenders(render: RequestListener, limits: typeof RENDERS = RENDERS): RequestListener {
  let running = 0;
  // By address, the one whose turn is next first.
  const queue = new Map<string, Set<Waiting>>();
  let queued = 0;

  function startNext(): void {
    if (running >= limits.atOnce) return;
    const [turn] = queue;
    if (!turn) return;
    const [address, ofAddress] = turn;
    queue.delete(address);
    queue.set(address, ofAddress);
    const [next] = ofAddress;
    next?.start();
  }

  function enter(waiting: Waiting): void {
    const ofAddress = queue.get(waiting.address) ?? new Set();
    queue.set(waiting.address, ofAddress.add(waiting));
    queued += 1;
  }

  function leave(waiting: Waiting): void {
    const ofAddress = queue.get(waiting.address);
    if (!ofAddress?.delete(waiting)) return;
    queued -= 1;
    if (ofAddress.size === 0) queue.delete(waiting.address);
  }

  function run(request: Parameters<RequestListener>[0], response: Parameters<RequestListener>[1]): void {
    running += 1;
    const deadline = setTimeout(() => {
      if (response.headersSent) response.destroy();
      else refuse(request, response, busy(), { asData: isDocument(request) });
    }, limits.renderSeconds * 1000);
    const end = () => {
      clearTimeout(deadline);
      response.off("prefinish", end).off("close", end);
      running -= 1;
      startNext();
    };
    // All is written, whether or not the client has read it; or it was abandoned.
    response.once("prefinish", end).once("close", end);
    render(request, response);
  }

  return (request, response) => {
    if (running < limits.atOnce && queue.size === 0) {
      run(request, response);
      return;
    }
    const address = clientAddress(
      request.socket.remoteAddress,
      String(request.headers["x-forwarded-for"] ?? "") || null,
    );
    if (queued >= limits.waiting || (queue.get(address)?.size ?? 0) >= limits.waitingPerAddress) {
      refuse(request, response, busy(), { asData: isDocument(request) });
      return;
    }
    const stopWaiting = () => {
      clearTimeout(patience);
      leave(waiting);
      response.off("close", stopWaiting);
    };
    const waiting: Waiting = {
      address,
      start() {
        stopWaiting();
        run(request, response);
      },
    };
    const patience = setTimeout(() => {
      stopWaiting();
      refuse(request, response, busy(), { asData: isDocument(request) });
    }, limits.waitSeconds * 1000);
    // The client has gone.
    response.once("close", stopWaiting);
    enter(waiting);
  };
}

export function busy(): ApiError {
  return new ApiError("temporarily_unavailable", "The service is busy. Try again in a moment.", {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
