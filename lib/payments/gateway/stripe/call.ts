import { ProcessorError } from "../port.ts";

type Thrown = { type?: string; code?: string; statusCode?: number; message?: string };

/** What a thrown error of the stripe package means for the caller. Only type, code and Stripe's own words are kept. */
function toProcessorError(thrown: unknown): ProcessorError {
  if (thrown instanceof ProcessorError) return thrown;
  const { type = "", code, statusCode, message = "" } = thrown as Thrown;
  const name = code ?? type.replace(/^Stripe/, "") ?? "error";
  if (statusCode === 429 || statusCode === 409) return new ProcessorError("busy", name, message);
  // The key has served for another request already, which may well have come to something.
  if (type === "StripeIdempotencyError") return new ProcessorError("unknown", name, message, true);
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ProcessorError("refused", name, message);
  if (statusCode && statusCode >= 500) return new ProcessorError("unknown", name, message, true);
  if (type.startsWith("Stripe")) return new ProcessorError("unknown", name, message);
  throw thrown;
}

/** Runs a call, and tells its failure in the port's terms. */
export async function told<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (thrown) {
    throw toProcessorError(thrown);
  }
}

/** The same for something that may not be there, or may be ours no more: an account can be taken away from its platform. */
export async function ifThere<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (thrown) {
    const { statusCode, code } = thrown as Thrown;
    if (statusCode === 404 || code === "account_invalid") return undefined;
    throw toProcessorError(thrown);
  }
}
