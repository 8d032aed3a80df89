import type { Instrumentation } from "next";

/**
 * Writes an error that a page met into the log, under both names by which someone may ask about it: the digest that the page
 * shows, and the request ID in the response's header.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  // Pages run nowhere else; the condition keeps the log out of the bundle that Next makes for its other runtime.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { log } = await import("#lib/kernel/log.ts");
  const id = request.headers["x-request-id"];
  const [path] = request.path.split("?");
  log().error(
    {
      digest: error instanceof Error && "digest" in error ? String(error.digest) : undefined,
      request_id: Array.isArray(id) ? id[0] : id,
      path,
      route: context.routePath,
      err: error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : String(error),
    },
    "page failed",
  );
};
