import type { Metadata } from "next";
import { Described } from "#components/reference/prose.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { communityRules, ruleAnchor } from "#lib/community/rules/rules.ts";

const LEAD = "What the service itself enforces in the community, for everyone. A refusal names its rule.";

export const metadata: Metadata = { title: "Rules", description: LEAD, alternates: { canonical: "/rules" } };

export default function RulesPage() {
  return (
    <Page>
      <PageHeader title="Rules" lead={LEAD} />
      <ol>
        {communityRules().map((rule) => (
          <li key={rule.rule} id={ruleAnchor(rule)} className="border-ink border-t py-5 target:bg-wash">
            <h2 className="font-semibold text-21">
              {rule.rule}. {rule.name}
            </h2>
            <p className="mt-1 max-w-measure">
              <Described text={rule.text} />
            </p>
          </li>
        ))}
      </ol>
      <div className="mt-6 max-w-measure space-y-3 border-ink border-t pt-5">
        <p>
          The operator of this service may ask more of you: see <a href="/legal/rules">the operator’s rules</a>.
          Breaking those has consequences only when an administrator decides so, with a reason, and then rule 6 applies.
        </p>
        <p>
          For programs, the same is <a href="/docs/community/get-rules">GET /api/v1/rules.php</a> and{" "}
          <a href="/rules.md">Markdown</a>. A refusal has the number in <code>error.rule</code>.
        </p>
      </div>
    </Page>
  );
}
