/** Who is signed in, as far as the shell shows it. It authorises nothing. */
export type Account = { name: string; role: "owner" | "administrator" };

/** The links that stand for an account, or for its absence. */
export function accountLinks(account: Account | null): { href: string; label: string }[] {
  // Operators come with a management token: they need no account.
  const service = { href: "/workspace/service", label: "Service workspace" };
  if (!account) return [{ href: "/sign-in", label: "Sign in" }, service];
  const workspace = { href: "/workspace", label: "Workspace" };
  return account.role === "administrator"
    ? [workspace, service, { href: "/admin", label: "Administration" }]
    : [workspace, service];
}
