import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { securityHeaders } from "#lib/kernel/headers.ts";
import { newId } from "#lib/kernel/ids.ts";
import { readLogResource } from "#lib/record/log/serve.ts";
import { SigningRefused } from "#lib/record/log/signing-setup.ts";
import { addCheckpoint, witnessKey } from "#lib/record/witness/witness.ts";
import { Answer, type ApiRequest } from "./exchange.ts";
import { logFailure, toApiError } from "./failure.ts";
import { readAtMost } from "./input.ts";
import { READABLE_ANYWHERE, respondError } from "./respond.ts";

/** Whether the path belongs to the log itself or to the witness. `/log` is a page for people. */
export function isLogPath(path: string): boolean {
  return /^\/(?:log\/[^/]|witness(?:\/|$))/.test(path);
}

/** Answers `/log/…` (`/log/2/…` for a later log) and `/witness/…`. */
export async function answerLog(request: ApiRequest, path: string): Promise<Answer> {
  const requestId = newId("req");
  try {
    return await (path.startsWith("/log/")
      ? answerResource(request, path, requestId)
      : answerWitness(request, path, requestId));
  } catch (thrown) {
    const error =
      thrown instanceof SigningRefused
        ? new ApiError("temporarily_unavailable", "This service cannot sign at present. Try again later.", {
            retryAfterSeconds: 60,
          })
        : toApiError(thrown);
    if (error.status >= 500) logFailure(requestId, path, thrown);
    return respondError(error, requestId, { ...READABLE_ANYWHERE, "Cache-Control": "no-store" });
  }
}

async function answerResource(request: ApiRequest, path: string, requestId: string): Promise<Answer> {
  const early = checkMethod(request, ["GET", "HEAD"], requestId);
  if (early) return early;
  const [, tree = "1", rest = ""] = /^\/log\/(?:([2-9]|[1-9]\d{1,5})\/)?(.+)$/.exec(path) ?? [];
  const resource = await readLogResource(Number(tree), rest);
  if (!resource) throw notFound();
  const { type, cacheControl, body } = resource;
  return new Answer(200, { ...headersOf(requestId), "Content-Type": type, "Cache-Control": cacheControl }, body);
}

/** More than any checkpoint with its proof and 64 signatures needs. */
const MAX_SUBMISSION_BYTES = 65_536;

async function answerWitness(request: ApiRequest, path: string, requestId: string): Promise<Answer> {
  const headers = { ...headersOf(requestId), "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  if (path === "/witness/key") {
    const early = checkMethod(request, ["GET", "HEAD"], requestId);
    if (early) return early;
    return new Answer(200, { ...headers, "Cache-Control": "public, max-age=3600" }, `${await witnessKey()}\n`);
  }
  if (path !== "/witness/add-checkpoint") throw notFound();
  const early = checkMethod(request, ["POST"], requestId);
  if (early) return early;
  const sent = await readAtMost(request.body, MAX_SUBMISSION_BYTES);
  if (!sent) throw new ApiError("body_too_large", `Send at most ${MAX_SUBMISSION_BYTES} bytes.`);
  const { status, type, body } = await addCheckpoint(Buffer.from(sent).toString("utf8"), new Date());
  return new Answer(status, type ? { ...headers, "Content-Type": type } : headers, body);
}

function headersOf(requestId: string) {
  return { ...securityHeaders("data"), ...READABLE_ANYWHERE, "X-Request-Id": requestId };
}

/** The answer to OPTIONS; undefined for a method that the path has. @throws ApiError method_not_allowed */
function checkMethod({ method }: ApiRequest, methods: string[], requestId: string): Answer | undefined {
  if (methods.includes(method)) return undefined;
  const allow = [...methods, "OPTIONS"].join(", ");
  if (method !== "OPTIONS") throw new ApiError("method_not_allowed", `This path answers ${allow}.`, { allow });
  return new Answer(
    204,
    { ...headersOf(requestId), Allow: allow, "Access-Control-Allow-Methods": methods.join(", ") },
    null,
  );
}
