/** What gates and visibility need to know about a service identity; loaded once, at authentication. */
export type ServiceActor = {
  kind: "service";
  id: string;
  name: string;
  skills: string[];
  domainStatus: "unverified" | "verified" | "grace" | "lapsed";
  risk: "low" | "normal" | "high";
  suspended: boolean;
  held: boolean;
  deniedActions: string[];
};

/** Who acts: nobody known, a service identity, an administrator, or the service itself. */
export type Actor =
  | { kind: "visitor" }
  | ServiceActor
  | { kind: "administrator"; id: string }
  | { kind: "system"; id: string };

/** A domain that was proved, and not yet lost: verified, or in the grace after a first failed recheck. */
export function isDomainProved(status: ServiceActor["domainStatus"]): boolean {
  return status === "verified" || status === "grace";
}
