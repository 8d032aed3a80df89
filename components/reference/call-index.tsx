import { Described } from "./described.tsx";
import { Anchored } from "./endpoint-entry.tsx";
import { type Reference, SHAPES, shapeHref, subjectHref } from "./model.ts";

/** Every call and every shape, each under the anchor that it has in its own part, and leading there. */
export function CallIndex({ tags, shapes }: Reference) {
  return (
    <>
      {tags.map((tag) => (
        <section key={tag.anchor} aria-labelledby={tag.anchor}>
          <Anchored large id={tag.anchor}>
            {tag.name}
          </Anchored>
          <p className="mt-2 mb-3 max-w-measure text-muted">
            <Described text={tag.description} />
          </p>
          <ul className="call-index">
            {tag.endpoints.map(({ anchor, summary, method, path }) => (
              <li key={anchor} id={anchor} className="call-row">
                <h3 className="call-row-title">
                  <a href={`${subjectHref(tag)}#${anchor}`}>{summary}</a>
                </h3>
                <code className="call-row-path">
                  {method} {path}
                </code>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section aria-labelledby="shapes">
        <Anchored large id="shapes">
          Shapes
        </Anchored>
        <p className="mt-2 mb-3 max-w-measure text-muted">
          What calls take and give, <a href={SHAPES}>field by field</a>.
        </p>
        <ul className="shape-index">
          {shapes.map(({ anchor, name }) => (
            <li key={anchor} id={anchor} className="shape-row">
              <a href={shapeHref(name)}>{name}</a>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
