import type { RequestListener, ServerResponse } from "node:http";
import { clientAddress } from "#lib/api/client-address.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { refuse } from "./refusal.ts";

/** Renders share the event loop with the interface: few at once, so that calls get their turn between them. */
export const RENDERS = { atOnce: 2, waiting: 64, waitingPerAddress: 24, waitSeconds: 10 } as const;

/**
 * Turns of the event loop between two renders. In each of them everybody else who is ready is served, and one new connection is
 * accepted: with a render in every turn, those who connect would wait for long. Where there is nothing to do, they take no time.
 */
const TURNS_BETWEEN = 16;

const RETRY_SECONDS = 5;

type Waiting = { address: string; start(): void };

/** Has pages rendered a few at a time. Further ones wait; those for which there is no room, or no time, are refused with 503. */
export function limitRenders(render: RequestListener, limits: typeof RENDERS = RENDERS): RequestListener {
  let running = 0;
  const queue = new Set<Waiting>();

  function startNext(): void {
    if (running >= limits.atOnce) return;
    const [next] = queue;
    if (!next) return;
    queue.delete(next);
    next.start();
  }

  function run(request: Parameters<RequestListener>[0], response: Parameters<RequestListener>[1]): void {
    running += 1;
    onceRendered(response, () => {
      running -= 1;
      afterTurns(TURNS_BETWEEN, startNext);
    });
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
    const ofAddress = [...queue].filter((waiting) => waiting.address === address).length;
    if (queue.size >= limits.waiting || ofAddress >= limits.waitingPerAddress) {
      refuse(request, response, busy(), PAGE);
      return;
    }
    const stopWaiting = () => {
      clearTimeout(patience);
      queue.delete(waiting);
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
      refuse(request, response, busy(), PAGE);
    }, limits.waitSeconds * 1000);
    // Whoever has gone needs no page.
    response.once("close", stopWaiting);
    queue.add(waiting);
  };
}

function afterTurns(turns: number, work: () => void): void {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, work) : work()));
}

const PAGE = { asData: false };

function busy(): ApiError {
  return new ApiError("temporarily_unavailable", "The service is busy. Try again in a moment.", {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** Calls once when a page has been made: ended, given up, or waiting for a client that reads slowly, which takes no time of ours. */
function onceRendered(response: ServerResponse, done: () => void): void {
  let told = false;
  const tell = () => {
    if (!told) done();
    told = true;
  };
  response.once("prefinish", tell);
  response.once("close", tell);
  const write = response.write;
  response.write = function (this: ServerResponse, ...given: unknown[]) {
    const goOn = Reflect.apply(write, this, given) as boolean;
    if (!goOn) tell();
    return goOn;
  } as typeof write;
}
