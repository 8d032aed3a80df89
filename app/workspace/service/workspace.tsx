"use client";

import { usePathname } from "next/navigation";
import { Connect, type OwnAgent } from "./connection/connect.tsx";
import { CLOSED, useConnection } from "./connection/connection.ts";
import { Frame } from "./frame/frame.tsx";
import { Rehearsal } from "./frame/installation.ts";
import { placeOf } from "./frame/places.ts";
import { Views } from "./frame/views.tsx";
import { Checkout, useOrdered } from "./tasks/checkout.tsx";

/** The operator's workspace: the form to connect, then the view of the current path. */
export function ServiceWorkspace({ rehearsal, own }: { rehearsal: boolean; own: readonly OwnAgent[] | undefined }) {
  const connection = useConnection();
  const place = placeOf(usePathname()) ?? { view: "overview" };
  const offerId = useOrdered();
  if (connection.door !== "token" || !connection.open) {
    const ended = connection.door === "token" && !connection.open ? connection : CLOSED;
    return (
      <Rehearsal value={rehearsal}>
        <Connect ended={ended} own={own} order={offerId ? <Checkout offerId={offerId} identified={false} /> : null} />
      </Rehearsal>
    );
  }
  return (
    <Rehearsal value={rehearsal}>
      <Frame key={connection.publicId} place={place} warned={connection.warned}>
        <Views place={place} where="Service workspace" />
      </Frame>
    </Rehearsal>
  );
}
