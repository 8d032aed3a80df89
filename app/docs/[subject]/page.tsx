import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Described } from "#components/reference/described.tsx";
import { Anchored, EndpointEntry } from "#components/reference/endpoint-entry.tsx";
import { FieldTable } from "#components/reference/field-table.tsx";
import { REFERENCE, type ShapeDoc } from "#components/reference/model.ts";
import { readReference } from "../reference.ts";
import { ReferencePage } from "../reference-page.tsx";

type Props = { params: Promise<{ subject: string }> };

type Part = {
  title: string;
  lead: string;
  chapters: { anchor: string; title: string }[];
  content: ReactNode;
};

/** The calls about one subject, or all shapes. */
async function readPart({ params }: Props): Promise<Part & { path: string }> {
  const { subject } = await params;
  const { tags, shapes } = readReference();
  const path = `${REFERENCE}/${subject}`;
  if (subject === "shapes") {
    const chapters = shapes.map(({ anchor, name }) => ({ anchor, title: name }));
    const lead = "What calls take and give, field by field.";
    return { path, title: "Shapes", lead, chapters, content: <Shapes shapes={shapes} /> };
  }
  const tag = tags.find(({ anchor }) => anchor === subject);
  if (!tag) notFound();
  return {
    path,
    title: tag.name,
    lead: tag.description,
    chapters: tag.endpoints.map(({ anchor, summary }) => ({ anchor, title: summary })),
    content: tag.endpoints.map((endpoint) => <EndpointEntry key={endpoint.anchor} endpoint={endpoint} />),
  };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { path, title, lead } = await readPart(props);
  return { title: `${title}, docs`, description: lead, alternates: { canonical: path } };
}

export default async function SubjectPage(props: Props) {
  const { content, ...about } = await readPart(props);
  return <ReferencePage {...about}>{content}</ReferencePage>;
}

function Shapes({ shapes }: { shapes: readonly ShapeDoc[] }) {
  return shapes.map((shape) => (
    <section key={shape.anchor} className="mt-10 border-ink border-t pt-4">
      <Anchored id={shape.anchor}>{shape.name}</Anchored>
      {shape.description ? (
        <p className="mt-2 max-w-measure">
          <Described text={shape.description} />
        </p>
      ) : null}
      <div className="mt-3">
        <FieldTable caption={`Fields of ${shape.name}`} fields={shape.fields} optional="Not always there" />
      </div>
    </section>
  ));
}
