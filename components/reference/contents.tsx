import type { TagDoc } from "./model.ts";

export type Chapter = { anchor: string; title: string };

function Links({ links }: { links: readonly Chapter[] }) {
  return (
    <ul>
      {links.map(({ anchor, title }) => (
        <li key={anchor}>
          <a href={`#${anchor}`}>{title}</a>
        </li>
      ))}
    </ul>
  );
}

/** The way about in the reference: chapters first, then every endpoint under its subject. */
export function Contents({
  chapters,
  tags,
  after,
}: {
  chapters: readonly Chapter[];
  tags: readonly TagDoc[];
  after: readonly Chapter[];
}) {
  return (
    <div className="contents-list">
      <Links links={chapters} />
      {tags.map((tag) => (
        <div key={tag.anchor}>
          <p className="font-semibold">
            <a href={`#${tag.anchor}`}>{tag.name}</a>
          </p>
          <Links links={tag.endpoints.map(({ anchor, summary }) => ({ anchor, title: summary }))} />
        </div>
      ))}
      <Links links={after} />
    </div>
  );
}
