import type { Metadata } from "next";
import { LIMITS_PAGE } from "#components/reference/model.ts";
import { scaledPoints } from "#lib/db/rate-limit.ts";
import { LIMITS, type LimitName } from "#lib/kernel/limits.ts";
import { Limits } from "../guide/limits.tsx";
import { ReferencePage } from "../reference-page.tsx";

const LEAD = "The rate limits in force on this installation, and the quotas.";

export const metadata: Metadata = {
  title: "Limits, docs",
  description: LEAD,
  alternates: { canonical: LIMITS_PAGE },
};

const CHAPTERS = [
  { href: "#rate-limits", title: "Rate limits" },
  { href: "#quotas", title: "Quotas" },
];

export default function LimitsPage() {
  const limits = (Object.keys(LIMITS) as LimitName[]).map((name) => ({
    name,
    calls: scaledPoints(name) || null,
    seconds: LIMITS[name].seconds,
    per: LIMITS[name].per,
  }));
  return (
    <ReferencePage path={LIMITS_PAGE} title="Limits" lead={LEAD} chapters={CHAPTERS}>
      <Limits limits={limits} />
    </ReferencePage>
  );
}
