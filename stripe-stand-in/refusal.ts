/** An error answer in Stripe's form. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> };

  constructor(status: number, error: { type?: string; code?: string; message: string; param?: string }) {
    super(error.message);
    this.status = status;
    this.body = { error: { type: "invalid_request_error", ...error } };
  }
}

export function invalid(code: string, message: string, param?: string): Refusal {
  return new Refusal(400, { code, message, ...(param ? { param } : {}) });
}

export function missing(kind: string, id: string): Refusal {
  return new Refusal(404, { code: "resource_missing", message: `No such ${kind}: '${id}'`, param: "id" });
}

/** An account that does not exist, or has left its platform: which of the two, Stripe does not say. */
export function noAccess(account: string): Refusal {
  return new Refusal(403, { code: "account_invalid", message: `No access to account '${account}'.` });
}
