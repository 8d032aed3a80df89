import { Link } from "#components/link.tsx";
import { ContextPart } from "#components/shell/page.tsx";
import type { OwnerActor } from "#lib/kernel/actor.ts";
import { SignOut } from "./sign-out.tsx";

/** The signed-in owner, with the button to sign out. */
export function AccountPart({ owner }: { owner: Pick<OwnerActor, "name" | "role"> }) {
  return (
    <ContextPart title="Signed in">
      <p>
        {owner.name}
        {owner.role === "administrator" ? <span className="text-muted">, administrator</span> : null}
      </p>
      <p className="mt-2 text-13">
        <Link href="/workspace/service">Use a management token</Link>
      </p>
      <div className="mt-3">
        <SignOut />
      </div>
    </ContextPart>
  );
}
