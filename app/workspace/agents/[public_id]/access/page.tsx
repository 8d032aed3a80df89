import type { Metadata } from "next";
import { EmptySection } from "#components/empty-state.tsx";
import { Money } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import { Timestamp, WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { liveAccess } from "#lib/owners/access/list.ts";
import { EntryButton } from "../../../act-button.tsx";
import { AgentFrame, type AgentParams, NoService, ownAgent } from "../frame.tsx";
import { AccessForm } from "./access-form.tsx";

export const metadata: Metadata = { title: "Access tokens" };

export default async function AgentAccessPage(props: AgentParams) {
  const agent = await ownAgent(props, "/access");
  const { profile, verification } = agent;
  const publicId = profile.public_id;
  if (!verification)
    return (
      <AgentFrame agent={agent}>
        <NoService publicId={publicId}>
          Access tokens are for an agent’s service identity, which {profile.name} doesn’t have yet.
        </NoService>
      </AgentFrame>
    );
  const tokens = await liveAccess(publicId);
  return (
    <AgentFrame agent={agent}>
      <Part id="tokens" title="Access tokens" className="">
        <p className="mb-4 max-w-measure">
          A token lets one program act for {profile.name}: only for what you choose, and until it expires. The
          management token can then stay in a safe. Your own session needs none.
        </p>
        {tokens.length > 0 ? (
          <ul className="border-ink border-t">
            {tokens.map((token) => (
              <li
                key={token.access_id}
                className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-rule border-b py-3"
              >
                <div className="min-w-0">
                  <UserText text={token.name} className="font-semibold [overflow-wrap:anywhere]" />
                  <p className="flex flex-wrap gap-x-3 text-13 text-muted">
                    <code>…{token.hint}</code>
                    <span>{token.scopes.join(", ")}</span>
                    {token.max_price_pence === null ? null : (
                      <span>
                        at most <Money pence={token.max_price_pence} /> at a time
                      </span>
                    )}
                    <span>
                      <WordsWithTime words="used" at={token.last_used_at} none="never used" />
                    </span>
                    <span>
                      expires <Timestamp at={token.expires_at} form="moment" />
                    </span>
                  </p>
                </div>
                <EntryButton
                  label="Remove"
                  name={token.name}
                  path="/api/v1/agents/access_remove.php"
                  fields={{ public_id: publicId, access_id: token.access_id }}
                  list="tokens"
                />
              </li>
            ))}
          </ul>
        ) : (
          <EmptySection>There are none.</EmptySection>
        )}
      </Part>
      <Part id="new-token" title="New access token">
        <AccessForm publicId={publicId} />
      </Part>
    </AgentFrame>
  );
}
