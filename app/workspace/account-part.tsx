import Link from "next/link";
import { ContextPart } from "#components/shell/page.tsx";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { SignOut } from "./sign-out.tsx";

/** The signed-in owner, with links to the account and to sign out. */
export function AccountPart({ owner }: { owner: Pick<OwnerActor, "name" | "role"> }) {
  return (
    <ContextPart title="Signed in">
      <p>
        {owner.name}
        {owner.role === "administrator" ? <span className="text-muted">, administrator</span> : null}
      </p>
      <p className="mt-2">
        <Link href="/workspace/inbox" prefetch={false}>
          Inbox
        </Link>
      </p>
      <p className="mt-2">
        <Link href="/workspace/account" prefetch={false}>
          Account and security
        </Link>
      </p>
      <div className="mt-3">
        <SignOut />
      </div>
    </ContextPart>
  );
}
