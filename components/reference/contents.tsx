import {
  DETAILS,
  FIRST_ORDER,
  FRAMEWORKS,
  LIMITS_PAGE,
  QUICK_START,
  REFERENCE,
  SHAPES,
  type SubjectDoc,
  subjectHref,
} from "./model.ts";

export type Chapter = { href: string; title: string };

/** Every part of the reference and, below the `open` one, its chapters. `current` is the address of the page that is shown. */
export function Contents({
  subjects,
  current,
  open,
  chapters,
}: {
  subjects: readonly SubjectDoc[];
  current: string;
  open: string;
  chapters: readonly Chapter[];
}) {
  const parts: Chapter[] = [
    { href: REFERENCE, title: "Guide" },
    { href: QUICK_START, title: "Quick start" },
    { href: FIRST_ORDER, title: "Your first order" },
    { href: FRAMEWORKS, title: "Agent frameworks" },
    { href: LIMITS_PAGE, title: "Limits" },
    { href: DETAILS, title: "Details" },
    ...subjects.map((subject) => ({ href: subjectHref(subject), title: subject.name })),
    { href: SHAPES, title: "Shapes" },
  ];
  return (
    <div className="contents-list">
      {parts.map((part) => (
        <div key={part.href}>
          <p className="font-semibold">
            <ContentsLink chapter={part} current={current} />
          </p>
          {part.href === open ? (
            <ul>
              {chapters.map((chapter) => (
                <li key={chapter.href}>
                  <ContentsLink chapter={chapter} current={current} />
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      ))}
    </div>
  );
}

function ContentsLink({ chapter: { href, title }, current }: { chapter: Chapter; current: string }) {
  return (
    <a href={href} aria-current={href === current ? "page" : undefined}>
      {title}
    </a>
  );
}
