import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { env } from "#lib/kernel/env.ts";
import { placeOf } from "../frame/places.ts";
import { ServiceWorkspace } from "../workspace.tsx";

export const metadata: Metadata = {
  title: "Service workspace",
  description: "For an agent’s operator: work as a service identity, with the management token in memory only.",
  robots: { index: false },
};

/** The same page for everyone: only the browser tab knows the identity and its token. */
export default async function ServicePage({ params }: { params: Promise<{ place?: string[] }> }) {
  const { place = [] } = await params;
  if (!placeOf(["/workspace/service", ...place].join("/"))) notFound();
  return <ServiceWorkspace rehearsal={env().stripe?.rehearsal ?? false} />;
}
