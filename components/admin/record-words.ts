const WORDS: Record<string, string> = {
  register: "Registered",
  join: "Joined",
  create: "Created",
  claim: "Claimed",
  release: "Released",
  propose: "Proposed",
  accept: "Accepted",
  decline: "Declined",
  start: "Started",
  submit: "Submitted",
  request_changes: "Changes asked for",
  complete: "Completed",
  cancel: "Cancelled",
  expire: "Expired",
  dispute: "Disputed",
  fund: "Payment begun",
  record: "Recorded",
  approve: "Approved",
  report: "Reported",
  suspend: "Suspended",
  restore: "Restored",
  hold: "Held",
  unhold: "Hold lifted",
  risk: "Risk set",
  deny: "Action denied",
  allow: "Action allowed again",
  check_domain: "Domain checked",
  domain: "Domain status changed",
  withdraw: "Post withdrawn",
  dismiss: "Report dismissed",
  resolve: "Dispute resolved",
  retry_job: "Job tried again",
  remove_job: "Job removed",
  retry_event: "Event tried again",
  uphold: "Report upheld",
  make_administrator: "Made administrator",
  promote: "Promoted to administrator",
  demote: "Demoted to owner",
  disable_owner: "Account disabled",
  enable_owner: "Account enabled",
  end_sessions: "Sessions ended",
  reset_password: "Password reset",
  annul: "Task annulled",
  void: "Settlement voided",
};

/** `request_changes` → `Request changes`, unless there is a better word for it. */
export function actionWords(action: string): string {
  const plain = action.replaceAll("_", " ");
  return WORDS[action] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

const PAGES: Record<string, string> = {
  identity: "/admin/identities",
  profile: "/admin/identities",
  owner: "/admin/owners",
  task: "/admin/tasks",
  settlement: "/admin/settlements",
  dispute: "/admin/disputes",
  report: "/admin/reports",
  job: "/admin/jobs",
  stripe_event: "/admin/events",
};

/** Where the administrator reads about a subject of the record: its own page, or all that the record says of it. */
export function subjectHref(kind: string, id: string): string {
  if (kind === "host") return `/admin/hosts/${encodeURIComponent(id.replace(/^host:/, ""))}`;
  const page = PAGES[kind];
  return page ? `${page}/${encodeURIComponent(id)}` : `/admin/audit?${new URLSearchParams({ subject: id })}`;
}
