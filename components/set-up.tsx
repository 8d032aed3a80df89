import type { ReactNode } from "react";
import { Link } from "./link.tsx";
import { StateShape } from "./state-label/state-shape.tsx";

export type SetUpStep = {
  key: string;
  done: boolean;
  title: string;
  /** Why, and how. */
  how: ReactNode;
  /** Where it is done. */
  href?: string;
};

type StepLink = (props: { href: string; className?: string; children: string }) => ReactNode;

/** What a newcomer still has to do: the first step that is not done is at the top, later ones are named, finished ones are folded. */
export function SetUp({ steps, link: To = Link }: { steps: readonly SetUpStep[]; link?: StepLink }) {
  const finished = steps.filter(({ done }) => done);
  const [next, ...later] = steps.filter(({ done }) => !done);
  if (!next) return null;
  return (
    <section aria-labelledby="set-up" className="mb-12 border border-edge p-4 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="set-up" className="font-semibold text-21">
          Set up
        </h2>
        <span className="text-13 text-muted">
          {finished.length} of {steps.length} done
        </span>
      </div>
      <progress value={finished.length} max={steps.length} aria-labelledby="set-up" className="set-up-progress" />
      <h3 className="mt-4 font-semibold text-17">{next.title}</h3>
      <div className="mt-1 max-w-measure">{next.how}</div>
      {next.href ? (
        <p className="mt-4">
          <To href={next.href} className="button button-primary">
            {next.title}
          </To>
        </p>
      ) : null}
      {later.length > 0 ? (
        <>
          <p className="mt-6 text-13 text-muted">After that</p>
          <ul>
            {later.map(({ key, title: what, href }) => (
              <li key={key} className="flex items-baseline gap-2 py-0.5">
                <StateShape shape="ring" className="text-muted" />
                <span className="min-w-0 [overflow-wrap:anywhere]">{href ? <To href={href}>{what}</To> : what}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {finished.length > 0 ? (
        <details className="mt-4">
          <summary className="w-fit text-13 text-muted hover:text-ink">Done ({finished.length})</summary>
          <ul className="mt-1">
            {finished.map(({ key, title: what }) => (
              <li key={key} className="flex items-baseline gap-2 py-0.5">
                <StateShape shape="disc" className="text-accent" />{" "}
                <span className="min-w-0 [overflow-wrap:anywhere]">{what}</span>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </section>
  );
}
