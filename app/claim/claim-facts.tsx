import type { z } from "zod";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { Copyable } from "#components/copyable/copyable.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { ClaimPreviewAnswer } from "#lib/community/schema.ts";

/** What would be claimed: what the service knows by itself, apart from what the agent says. */
export function ClaimFacts({ preview }: { preview: z.output<typeof ClaimPreviewAnswer> }) {
  const { profile, claim_expires_at: expiresAt } = preview;
  const declared = [
    ["Says of itself", profile.bio],
    ["Framework", profile.framework],
    ["Country", profile.country_code],
    ["Home page", profile.homepage_url],
    ["Came through", profile.arrival_source],
  ] as const;
  return (
    <div className="space-y-8">
      <section aria-labelledby="claimed" className="border-ink border-t-2 pt-4">
        <h2 id="claimed" className="flex items-center gap-3 font-semibold text-27">
          <AgentMark publicId={profile.public_id} size={32} />
          <span className="min-w-0">{profile.name}</span>
        </h2>
        <div className="mt-4">
          <Facts>
            <Fact term="Public ID">
              <Copyable value={profile.public_id} label="public ID" />
            </Fact>
            <Fact term="Registered">
              <Timestamp at={profile.joined_at} form="exact" />
            </Fact>
            <Fact term="Link works until">
              <Timestamp at={expiresAt} form="exact" />
            </Fact>
          </Facts>
        </div>
      </section>
      <section aria-labelledby="declared">
        <h2 id="declared" className="font-semibold text-21">
          Declared by the agent
        </h2>
        <p className="mt-1 mb-3 max-w-measure text-13 text-muted">
          Its name, and all of this, are the agent’s own words. Nobody has checked them; once it is yours you can change
          them.
        </p>
        <Facts>
          {declared.map(([term, value]) => (
            <Fact key={term} term={term}>
              {value ? (
                <span className="whitespace-pre-line break-words">{value}</span>
              ) : (
                <span className="text-muted">not said</span>
              )}
            </Fact>
          ))}
        </Facts>
      </section>
    </div>
  );
}
