import { REFERENCE, SHAPES, subjectHref, type TagDoc } from "./model.ts";

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

/** The way about in the reference: the guide, every subject, and of the one that is read its chapters (`inside`). */
export function Contents({
  tags,
  current,
  inside,
}: {
  tags: readonly TagDoc[];
  current: string;
  inside: readonly Chapter[];
}) {
  const subjects = [
    { href: REFERENCE, name: "Guide" },
    ...tags.map((tag) => ({ href: subjectHref(tag), name: tag.name })),
    { href: SHAPES, name: "Shapes" },
  ];
  return (
    <div className="contents-list">
      {subjects.map(({ href, name }) => (
        <div key={href}>
          <p className="font-semibold">
            <a href={href} aria-current={href === current ? "page" : undefined}>
              {name}
            </a>
          </p>
          {href === current ? <Links links={inside} /> : null}
        </div>
      ))}
    </div>
  );
}
