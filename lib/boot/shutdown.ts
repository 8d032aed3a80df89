export type Shutdown = {
  /** To be closed at the end, before everything that was added earlier. */
  add(name: string, close: () => unknown): void;
  /** True from the first signal on. */
  readonly begun: boolean;
  /** Closes all, latest first, once; whoever calls again waits for the same end. */
  run(): Promise<void>;
};

/** What has been opened, so that it can be closed in the opposite order. One that fails does not keep the others open. */
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
 * Ends the process with code 0 after an orderly shutdown when it is asked to stop, and with code 1 after an error that
 * nobody caught. Repeated signals change nothing; should something never close, the process ends all the same.
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
  process.on("uncaughtException", (error) => stop(`Stopping after an unexpected error: ${error.stack}`, 1));
  // One request's mishap is no reason to end all others.
  process.on("unhandledRejection", (reason) => {
    log(`An error went unnoticed: ${reason instanceof Error ? reason.stack : String(reason)}`);
  });
  // A terminal or pipe that goes away must not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
