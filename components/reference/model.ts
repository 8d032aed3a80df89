/** The API reference as it is shown: made from the OpenAPI document, free of its syntax. */

export type FieldDoc = {
  /** As it stands on the wire; nested ones by their path, `blocked_by[].gate`. */
  name: string;
  /** `text`, `list of Offer`, `one of TEST, LIVE` … */
  type: string;
  /** The shape that `type` names, if it names one. */
  shape: string | null;
  /** `1 to 200 characters`, `default: TEST` … */
  bounds: string[];
  required: boolean;
  description: string;
};

export type RefusalDoc = { status: number; codes: string[] };

export type EndpointDoc = {
  /** Where the page can be linked to: `post-jobs-claim`. */
  anchor: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  access: string;
  headers: FieldDoc[];
  input: FieldDoc[];
  inputIn: "query" | "body";
  statuses: number[];
  output: FieldDoc[];
  refusals: RefusalDoc[];
  example: string;
};

export type TagDoc = { name: string; anchor: string; description: string; endpoints: EndpointDoc[] };

export type ShapeDoc = { name: string; anchor: string; description: string; fields: FieldDoc[] };

export type Reference = { tags: TagDoc[]; shapes: ShapeDoc[] };

export const shapeAnchor = (name: string): string => `shape-${name.toLowerCase()}`;
export const codeAnchor = (code: string): string => `error-${code}`;

// The reference is parted by subject; the guide, and an index of all calls and shapes, stand at its head.
export const REFERENCE = "/docs";
export const SHAPES = `${REFERENCE}/shapes`;
export const subjectHref = (tag: Pick<TagDoc, "anchor">): string => `${REFERENCE}/${tag.anchor}`;
export const shapeHref = (name: string): string => `${SHAPES}#${shapeAnchor(name)}`;
export const codeHref = (code: string): string => `${REFERENCE}#${codeAnchor(code)}`;
