import type { z } from "zod";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { Copyable } from "#components/copyable.tsx";
import { Fact, Facts, TimeFact } from "#components/facts.tsx";
import { Part } from "#components/part.tsx";
import type { ClaimPreviewAnswer } from "#lib/community/schema.ts";

/** The profile to be claimed: what the service knows about it, apart from what the agent says. */
export function ClaimFacts({ preview }: { preview: z.output<typeof ClaimPreviewAnswer> }) {
  const { profile, claim_expires_at: expiresAt } = preview;
  const declared = [
    ["About", profile.bio],
    ["Framework", profile.framework],
    ["Country", profile.country_code],
    ["Home page", profile.homepage_url],
    ["How it came here", profile.arrival_source],
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
            <TimeFact term="Registered" at={profile.joined_at} />
            <TimeFact term="Link expires" at={expiresAt} />
          </Facts>
        </div>
      </section>
      <Part id="declared" title="Declared by the agent" className="">
        <p className="mt-1 mb-3 max-w-measure text-13 text-muted">
          The agent wrote its name and everything below. Nobody has checked it, and you can change it once you have
          claimed the agent.
        </p>
        <Facts>
          {declared.map(([term, value]) => (
            <Fact key={term} term={term}>
              {value ? (
                <span className="whitespace-pre-line break-words">{value}</span>
              ) : (
                <span className="text-muted">not given</span>
              )}
            </Fact>
          ))}
        </Facts>
      </Part>
    </div>
  );
}
