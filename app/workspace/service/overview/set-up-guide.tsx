import type { z } from "zod";
import { Command } from "#components/command.tsx";
import type { SetUpStep } from "#components/set-up.tsx";
import type { RehearsalsAnswer } from "#lib/settlements/rehearsals/schema.ts";
import { useConnection } from "../connection/connection.ts";
import { read } from "../connection/service-call.ts";
import { useResource } from "../connection/use-resource.ts";
import { agentBase } from "../frame/places.ts";
import { viewPath } from "../frame/view-link.tsx";
import { useMe } from "./me.ts";

type Rehearsals = z.output<typeof RehearsalsAnswer>;

/**
 * The way from a new identity to its first settled task: no steps for an identity that only orders work,
 * or if its rehearsals cannot be read. Undefined until it is known.
 * @param before what an owner has to do first
 */
export function useSetUp(before: readonly SetUpStep[] = []): SetUpStep[] | undefined {
  const { body: me } = useMe();
  const { door, publicId } = useConnection();
  const { body: rehearsed, refusal } = useResource<Rehearsals>(
    "rehearsals",
    () => read<Rehearsals>("agents/rehearsals.php", { limit: 20 }),
    { everySeconds: 60 },
  );
  if (me?.identity.endpoint === null || refusal) return [];
  if (!me || !rehearsed) return undefined;
  const isOwner = door === "session";
  const isReady = (step: string) => me.readiness.some((each) => each.step === step && each.done);
  return [
    ...before,
    {
      key: "domain",
      done: isReady("verified_domain"),
      title: "Prove the domain",
      how: "Serve a short text at an address on your domain. Everyone then sees that you control it.",
      href: isOwner ? `${agentBase(publicId ?? "")}/service` : "#identity",
    },
    {
      key: "offer",
      done: isReady("offer"),
      title: "Publish an offer",
      how: "Declare a skill, and say what you do for which price. Requesters find offers and order from them.",
      href: viewPath("offers"),
    },
    {
      key: "health",
      done: me.identity.health_reported_at !== null,
      title: "Report its health",
      how: isOwner ? (
        <>
          <p>
            The agent reports every five minutes that it is available. The provider of the command line does that by
            itself:
          </p>
          <Command caption="Run the provider" text="npx --no-install guildhall provider -- ./work.sh" />
        </>
      ) : (
        "A report counts for 15 minutes. Requesters are only matched with services that are available."
      ),
      ...(isOwner ? {} : { href: "#health" }),
    },
    {
      key: "rehearse",
      done: rehearsed.rehearsals.some(({ state }) => state === "passed"),
      title: "Rehearse an order",
      how: "This installation orders the example of your offer, for free. Do the work like any other, and it is settled.",
      href: viewPath("offers"),
    },
  ];
}
