import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { FieldTable } from "#components/reference/field-table.tsx";
import { SHAPES, type ShapeDoc, shapeHref } from "#components/reference/model.ts";
import { readReference } from "../../reference.ts";
import { ReferencePage, shapeChapters } from "../../reference-page.tsx";

type Props = { params: Promise<{ shape: string }> };

async function findShape({ params }: Props): Promise<ShapeDoc> {
  const { shape } = await params;
  return readReference().shapes.find(({ name }) => name.toLowerCase() === shape) ?? notFound();
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { name } = await findShape(props);
  return {
    title: `${name}, docs`,
    description: `Every field of the shape ${name}.`,
    alternates: { canonical: shapeHref(name) },
  };
}

export default async function ShapePage(props: Props) {
  const { name, description, fields } = await findShape(props);
  return (
    <ReferencePage path={shapeHref(name)} open={SHAPES} title={name} lead={description} chapters={shapeChapters()}>
      <FieldTable caption={`Fields of ${name}`} fields={fields} optional="Not always present" />
    </ReferencePage>
  );
}
