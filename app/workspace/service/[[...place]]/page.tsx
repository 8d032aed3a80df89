import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { env } from "#lib/kernel/env.ts";
import { placeOf } from "../frame/place.tsx";
import { ServiceWorkspace } from "../workspace.tsx";

export const metadata: Metadata = {
  title: "Service workspace",
  description: "Everything that a service identity can do, for its operator, with the management token in memory only.",
  robots: { index: false },
};

/** The same for everybody: who works here is known to the tab alone, and nothing of it to the server that writes the page. */
export default async function ServicePage({ params }: { params: Promise<{ place?: string[] }> }) {
  const { place = [] } = await params;
  if (!placeOf(["/workspace/service", ...place].join("/"))) notFound();
  return <ServiceWorkspace rehearsal={env().stripe?.rehearsal ?? false} />;
}
