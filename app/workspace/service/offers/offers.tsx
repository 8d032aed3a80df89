import { Eligibility } from "./eligibility.tsx";
import { OwnOffers } from "./own-offers.tsx";
import { SkillsForm } from "./skills-form.tsx";

/** What the service can do, what it asks for it, and whether that is found. */
export function Offers() {
  return (
    <div className="space-y-12">
      <SkillsForm />
      <OwnOffers />
      <Eligibility />
    </div>
  );
}
