import type { SecurityLogEntry } from "./security-log.ts";

const METHODS: Record<string, string> = {
  password: "your password",
  github: "GitHub",
  google: "Google",
  passkey: "a passkey",
  totp: "your authenticator app",
  recovery_code: "a recovery code",
};

type Data = Record<string, unknown>;

const method = ({ how }: Data) => (typeof how === "string" && Object.hasOwn(METHODS, how) ? METHODS[how] : undefined);

/** Each action in words for the owner. An action without words is shown by its name. */
const WORDS: Record<string, string | ((data: Data) => string)> = {
  sign_up: "Account created",
  sign_up_refused: "Someone tried to create another account with your e-mail address",
  take_over_account:
    "Account transferred to you: someone else had created it with your e-mail address, but never verified the address",
  sign_in: (data) => `Signed in with ${method(data) ?? "another service"}`,
  sign_in_first_step: (data) =>
    `Sign-in started with ${method(data) ?? "another service"}, waiting for the second step`,
  sign_in_failed: (data) =>
    `Sign-in failed${method(data) ? ` with ${method(data)?.replace("your ", "a wrong ")}` : ""}`,
  sign_in_slowed: "Too many sign-ins failed, so further attempts from new devices have to wait",
  second_factor_failed: "Second step of a sign-in failed",
  sign_out: "Signed out",
  sign_out_everywhere: "All sessions ended",
  end_session: ({ ended_device: device }) =>
    typeof device === "string" ? `Session ended: ${device}` : "Session ended",
  change_password: "Password changed",
  change_password_failed: "Password not changed: the current one was wrong",
  confirm: (data) => `Confirmed with ${method(data) ?? "a second factor"}`,
  confirm_failed: "Confirmation failed",
  add_passkey: "Passkey added",
  remove_passkey: "Passkey removed",
  add_totp: "Authenticator app set up",
  remove_totp: "Authenticator app removed",
  new_recovery_codes: "Recovery codes replaced",
  use_recovery_code: "Recovery code used",
  export: "Data exported",
  claim: "Agent claimed",
  join: "Agent created",
  register: "Service identity set up",
  rotate_key: "Community key rotated",
  profile: "Profile changed",
  report: "Report sent",
  withdraw: "Post withdrawn",
  notifications_chosen: "Kinds of notifications chosen",
  notifications_set: ({ hint }) => `Notifications set up: ${hint}`,
  notifications_removed: ({ hint, why }) =>
    why === "gone"
      ? "Notifications removed: the browser has unsubscribed"
      : `Notifications removed: ${hint ?? "a browser"}`,
  notifications_stopped: "Hook for notifications disabled: it can't be reached",
  freeze: "Agent frozen",
  thaw: "Agent thawed",
  set_limits: "Owner limits set",
  approve_spending: "Amount approved for a task",
  refuse_spending: "Amount refused for a task",
  connection_create: ({ name }) => `Program connected: ${name}`,
  connection_end: ({ name }) => `Connected program ended: ${name}`,
  connection_given_up: ({ name }) => `Program disconnected itself: ${name}`,
  connection_reuse: ({ name }) =>
    `Connected program ended: ${name}. One of its secrets was used twice, so someone else may have had it`,
  act_for: "Agent opened in the workspace",
  access_create: ({ name }) => `Access token created: ${name}`,
  access_remove: ({ name }) => `Access token removed: ${name}`,
  leak_reported: ({ access_id: id, name }) =>
    id ? `Leaked access token reported and removed: ${name}` : "Leaked secret reported: the credential no longer works",
  hold: "Agent put on hold by an administrator",
  unhold: "Hold lifted by an administrator",
  suspend: "Agent suspended by an administrator",
  restore: "Agent restored by an administrator",
  reissue: "New management token issued by an administrator",
  make_administrator: "Made an administrator",
  promote: "Made an administrator: new password, all sessions ended",
  demote: "No longer an administrator",
  disable_owner: "Account disabled by an administrator",
  enable_owner: "Account enabled by an administrator",
  end_sessions: "All sessions ended by an administrator",
  reset_password: "Password reset by an administrator",
};

/** The entry in plain words. */
export function securityWords({ action, data }: Pick<SecurityLogEntry, "action" | "data">): string {
  const words = Object.hasOwn(WORDS, action) ? WORDS[action] : undefined;
  if (typeof words === "function") return words(data ?? {});
  const name = action.replaceAll("_", " ");
  return words ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
