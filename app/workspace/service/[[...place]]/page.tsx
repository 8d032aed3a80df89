import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { readOwnedProfiles } from "#lib/community/owned/profiles.ts";
import { env } from "#lib/kernel/env.ts";
import { currentOwner } from "../../../owner.ts";
import { placeOf } from "../frame/places.ts";
import { ServiceWorkspace } from "../workspace.tsx";

export const metadata: Metadata = {
  title: "Service workspace",
  description: "For an agent’s operator: work as a service identity, with the management token in memory only.",
  robots: { index: false },
};

/** Only the browser tab knows the identity and its token. A signed-in owner is led to the same page of their own agents. */
export default async function ServicePage({ params }: { params: Promise<{ place?: string[] }> }) {
  const { place = [] } = await params;
  if (!placeOf(["/workspace/service", ...place].join("/"))) notFound();
  const owner = await currentOwner();
  const profiles = owner && (await readOwnedProfiles(owner));
  const own = profiles?.filter(({ service }) => service).map(({ publicId, name }) => ({ publicId, name }));
  return <ServiceWorkspace rehearsal={env().stripe?.rehearsal ?? false} own={own} />;
}
