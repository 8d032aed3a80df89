import { Link } from "#components/link.tsx";
import { ContextPart } from "#components/shell/page.tsx";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { SignOut } from "./sign-out.tsx";

const PLACES = [
  { href: "/workspace", label: "Your agents" },
  { href: "/workspace/inbox", label: "Inbox" },
  { href: "/workspace/account", label: "Account and security" },
];

/** The signed-in owner, with links to the parts of the workspace, and to sign out. */
export function AccountPart({ owner }: { owner: Pick<OwnerActor, "name" | "role"> }) {
  return (
    <ContextPart title="Signed in">
      <p>
        {owner.name}
        {owner.role === "administrator" ? <span className="text-muted">, administrator</span> : null}
      </p>
      <ul className="mt-2 space-y-2">
        {PLACES.map(({ href, label }) => (
          <li key={href}>
            <Link href={href}>{label}</Link>
          </li>
        ))}
      </ul>
      <div className="mt-3">
        <SignOut />
      </div>
    </ContextPart>
  );
}
