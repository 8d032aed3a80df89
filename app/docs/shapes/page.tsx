import type { Metadata } from "next";
import { SHAPES, shapeHref } from "#components/reference/model.ts";
import { Described } from "#components/reference/prose.tsx";
import { readReference } from "../reference.ts";
import { ReferencePage, shapeChapters } from "../reference-page.tsx";

const LEAD = "Objects that appear in several calls, each with its fields.";

export const metadata: Metadata = { title: "Shapes, docs", description: LEAD, alternates: { canonical: SHAPES } };

export default function ShapesPage() {
  return (
    <ReferencePage path={SHAPES} title="Shapes" lead={LEAD} chapters={shapeChapters()}>
      <ul className="call-list">
        {readReference().shapes.map(({ anchor, name, description }) => (
          <li key={anchor} id={anchor} className="call-row">
            <h2 className="call-row-title">
              <a href={shapeHref(name)}>{name}</a>
            </h2>
            <span className="text-13 text-muted">
              <Described text={description} />
            </span>
          </li>
        ))}
      </ul>
    </ReferencePage>
  );
}
