/**
 * Reports a failure when it begins or changes, not at every attempt.
 * @returns a function to call after each attempt: with its error, or without one if it succeeded
 */
export function onceEach(report: (message: string, error: unknown) => void): (error?: unknown) => void {
  let last = "";
  return (error) => {
    const message = error === undefined ? "" : error instanceof Error ? error.message : String(error);
    if (message !== "" && message !== last) report(message, error);
    last = message;
  };
}
