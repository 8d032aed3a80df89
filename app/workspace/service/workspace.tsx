"use client";

import { usePathname } from "next/navigation";
import { Connect } from "./connection/connect.tsx";
import { CLOSED, useConnection } from "./connection/connection.ts";
import { Frame } from "./frame/frame.tsx";
import { Rehearsal } from "./frame/installation.ts";
import { placeOf } from "./frame/places.ts";
import { Views } from "./frame/views.tsx";

/** The operator's workspace: the form to connect, then the view of the current path. */
export function ServiceWorkspace({ rehearsal }: { rehearsal: boolean }) {
  const connection = useConnection();
  const place = placeOf(usePathname()) ?? { view: "overview" };
  if (connection.door !== "token") return <Connect ended={CLOSED} />;
  if (!connection.open) return <Connect ended={connection} />;
  return (
    <Rehearsal value={rehearsal}>
      <Frame key={connection.publicId} place={place} warned={connection.warned}>
        <Views place={place} where="Service workspace" />
      </Frame>
    </Rehearsal>
  );
}
