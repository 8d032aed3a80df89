"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "#components/button.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { Link } from "#components/link.tsx";
import type { SetUpStep } from "#components/set-up.tsx";
import { refuse } from "../../../browser/call.ts";
import { connect, useConnection } from "../../service/connection/connection.ts";
import { forgetOwnerAccess, ownerAccess } from "../../service/connection/owner-access.ts";
import { Rehearsal } from "../../service/frame/installation.ts";
import { placeOf } from "../../service/frame/places.ts";
import { Shortcuts } from "../../service/frame/shortcuts.tsx";
import { Views } from "../../service/frame/views.tsx";

type Props = {
  publicId: string;
  name: string;
  rehearsal: boolean;
  /** The set-up steps that come before the agent's service. */
  before: readonly SetUpStep[];
  /** What only the owner has on the overview. */
  children: ReactNode;
};

/** The views of one agent for its owner, whose session connects the tab. */
export function OwnerRoom({ publicId, name, rehearsal, before, children }: Props) {
  const path = usePathname();
  const place = placeOf(path) ?? { view: "overview" };
  const { isOpen, refusal, retry } = useOwnerDoor(publicId);
  const entered = isOpen ? (
    <Views place={place} where={name} before={before} />
  ) : (
    <Entering refusal={refusal} retry={retry} path={path} />
  );
  return (
    <Rehearsal value={rehearsal}>
      {entered}
      {place.view === "overview" ? children : null}
      {isOpen ? (
        <div className="mt-12 hidden md:block">
          <Shortcuts />
        </div>
      ) : null}
    </Rehearsal>
  );
}

/** After two tokens that were refused this soon, the owner is asked before the tab takes another one. */
const SOON_MS = 10_000;
const REFUSED = refuse("The service refused what this tab was given to act for the agent.", {}).refusal;

/** Connects this tab to the agent by the owner's session, and again when that connection ends. */
function useOwnerDoor(publicId: string) {
  const connection = useConnection();
  const isOpen = connection.open && connection.door === "session" && connection.publicId === publicId;
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [attempts, setAttempts] = useState(0);
  const given = useRef<number[]>([]);
  const wasRefused = !connection.open && connection.ending === "refused" && connection.publicId === publicId;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempts` asks for another attempt
  useEffect(() => {
    if (isOpen) return;
    if (wasRefused) {
      forgetOwnerAccess(publicId);
      given.current = given.current.filter((at) => Date.now() - at < SOON_MS);
      if (given.current.length > 1) {
        setRefusal(REFUSED);
        return;
      }
    }
    let current = true;
    void ownerAccess(publicId).then((outcome) => {
      if (!current) return;
      setRefusal(outcome.ok ? null : outcome.refusal);
      if (!outcome.ok) return;
      given.current.push(Date.now());
      connect(publicId, outcome.body.access_token, "session");
    });
    return () => {
      current = false;
    };
  }, [isOpen, wasRefused, publicId, attempts]);

  const retry = () => {
    given.current = [];
    setAttempts((count) => count + 1);
  };
  return { isOpen, refusal, retry };
}

function Entering({ refusal, retry, path }: { refusal: Refusal | null; retry: () => void; path: string }) {
  if (refusal?.code === "invalid_credential")
    return (
      <p role="status" className="max-w-measure border-accent border-s-2 ps-4 text-17">
        Your session has ended, so this tab can no longer act for the agent.{" "}
        <Link href={`/sign-in?${new URLSearchParams({ return_to: path })}`}>Sign in again</Link>
      </p>
    );
  if (!refusal)
    return (
      <p role="status" className="text-muted">
        Opening…
      </p>
    );
  return (
    <div className="space-y-4">
      <RefusalNote refusal={refusal} />
      <Button onClick={retry}>Try again</Button>
    </div>
  );
}
