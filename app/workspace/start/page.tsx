import { redirect } from "next/navigation";
import { requireOwner } from "../../owner.ts";

/** Where a sign-in leads if no other page asked for it: administrators to the console, owners to their agents. */
export default async function StartPage(): Promise<never> {
  const owner = await requireOwner("/workspace");
  redirect(owner.role === "administrator" ? "/admin" : "/workspace");
}
