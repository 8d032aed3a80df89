import { COMMUNITY, call, callAsOwner, type Outcome } from "../../browser/call.ts";

/** An act of the administrator who is signed in. What is refused as missing may be so because the session has ended. */
export async function callAsAdministrator<Body>(act: string, body: object): Promise<Outcome<Body>> {
  const outcome = await callAsOwner<Body>(`/api/v1/admin/${act}.php`, body);
  if (outcome.ok || outcome.refusal.code !== "not_found") return outcome;
  const session = await call<{ owner: { role: string } }>(`${COMMUNITY}?view=session`);
  if (!session.ok) return session;
  const message =
    session.body.owner.role === "administrator"
      ? "This is no longer here: somebody else may have removed it. Load the page anew."
      : "You are signed in with an account that administers nothing, so this was not done.";
  return { ok: false, refusal: { ...outcome.refusal, message } };
}
