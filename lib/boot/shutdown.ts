type Shutdown = {
  /** To be closed at the end, before everything that was added earlier. */
  add(name: string, close: () => unknown): void;
  /** True from the first signal on. */
  readonly begun: boolean;
  /** Closes everything, latest first. Further calls wait for the same run. */
  run(): Promise<void>;
};

/** Closes what was opened, in reverse order. A failure does not keep the others open. */
export function createShutdown(log: (line: string) => void): Shutdown {
  const open: { name: string; close: () => unknown }[] = [];
  let running: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    for (let next = open.pop(); next; next = open.pop()) {
      try {
        await next.close();
      } catch (error) {
        log(`Closing ${next.name} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return {
    add(name, close) {
      open.push({ name, close });
    },
    get begun() {
      return running !== undefined;
    },
    run() {
      running ??= closeAll();
      return running;
    },
  };
}

const LIMIT_SECONDS = 60;

/**
 * Stops the process in order: with code 0 after a signal or when the program that started it with a channel has ended, with code 1 after an uncaught error. Repeated signals change nothing.
 * If something never closes, the process ends anyway.
 */
export function stopOnSignals(shutdown: Shutdown, log: (line: string) => void): void {
  const stop = (reason: string, exitCode: number) => {
    if (shutdown.begun) return;
    log(reason);
    setTimeout(() => {
      log(`Something did not close within ${LIMIT_SECONDS} seconds`);
      process.exit(1);
    }, LIMIT_SECONDS * 1000).unref();
    void shutdown.run().then(() => {
      log("Stopped");
      process.exit(exitCode);
    });
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop("Stopping", 0));
  // Another program started this one, and has ended.
  process.once("disconnect", () => stop("Stopping", 0));
  if (process.connected === false) stop("Stopping", 0);
  process.on("uncaughtException", (error) => stop(`Stopping after an unexpected error: ${error.stack}`, 1));
  // A failure in one request must not end the others.
  process.on("unhandledRejection", (reason) => {
    log(`Unhandled error: ${reason instanceof Error ? reason.stack : String(reason)}`);
  });
  // A terminal or pipe that goes away must not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
