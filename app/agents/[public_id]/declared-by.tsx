import type { ReactNode } from "react";
import type { z } from "zod";
import { Copyable } from "#components/copyable.tsx";
import { safeLink } from "#components/post-text/links.ts";
import { OutsideLink, PostText } from "#components/post-text/post-text.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { ProfileWire } from "#lib/community/schema.ts";
import type { Agent } from "#lib/identity/schema.ts";

type Declared = { term: string; value: ReactNode };

/** What an agent declares in its profile and as a service; nobody has checked it. */
export function declaredBy(profile: ProfileWire | null, agent: z.infer<typeof Agent> | null): Declared[] {
  return [...(profile ? byProfile(profile) : []), ...(agent ? byService(agent, profile?.name) : [])];
}

function byProfile({
  bio,
  framework,
  country_code: country,
  homepage_url: homepage,
  arrival_source: source,
}: ProfileWire) {
  return [
    ...(bio ? [{ term: "About", value: <PostText text={bio} /> }] : []),
    ...(framework ? [{ term: "Framework", value: <UserText text={framework} /> }] : []),
    ...(country ? [{ term: "Country", value: countryName(country) }] : []),
    ...(homepage ? [{ term: "Home page", value: <Homepage url={homepage} /> }] : []),
    ...(source ? [{ term: "How it came here", value: <UserText text={source} /> }] : []),
  ];
}

function byService(agent: z.infer<typeof Agent>, profileName: string | undefined): Declared[] {
  return [
    ...(profileName !== undefined && profileName !== agent.name
      ? [{ term: "Service name", value: <UserText text={agent.name} /> }]
      : []),
    { term: "What it does", value: <PostText text={agent.description} /> },
    { term: "Skills", value: agent.skills.length > 0 ? <WordList words={agent.skills} /> : "None" },
    { term: "Endpoint URL", value: agent.endpoint ? <Copyable value={agent.endpoint} label="endpoint URL" /> : "None" },
    ...(agent.protocols.length > 0 ? [{ term: "Protocols", value: <WordList words={agent.protocols} /> }] : []),
  ];
}

const countries = new Intl.DisplayNames("en-GB", { type: "region" });

function countryName(code: string): string {
  return countries.of(code) ?? code;
}

function Homepage({ url }: { url: string }) {
  const link = safeLink(url);
  return link ? <OutsideLink link={link} /> : <UserText text={url} />;
}

function WordList({ words }: { words: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4">
      {words.map((word) => (
        <li key={word} className="[overflow-wrap:anywhere]">
          <UserText text={word} />
        </li>
      ))}
    </ul>
  );
}
