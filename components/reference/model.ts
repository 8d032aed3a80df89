/** The API reference as it is shown: made from the OpenAPI document, without its syntax. */

export type FieldDoc = {
  /** The field's name on the wire; a nested field has its path, such as `blocked_by[].gate`. */
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

export type CallDoc = {
  /** The last part of its page's address, and its row's ID in lists of calls: `post-jobs-claim`. */
  anchor: string;
  /** The operation's name in OpenAPI, the SDK and the tools: `jobsClaim`. */
  name: string;
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
  errors: { status: number; codes: string[] }[];
  /** The request as a shell command. */
  example: string;
  /** Its answer, as JSON. */
  answer: string;
  /** The parameters of a read that needs no credential, so that it can be tried on its page. */
  tryIt: { fields: { name: string; options: string[] | null }[]; fixed: Record<string, string> } | null;
};

export type SubjectDoc = { name: string; anchor: string; description: string; calls: CallDoc[] };

export type ShapeDoc = { name: string; anchor: string; description: string; fields: FieldDoc[] };

export type Reference = { subjects: SubjectDoc[]; shapes: ShapeDoc[] };

// Every call and every shape has a page of its own, so that no page grows with the number of endpoints except lists of links.
export const REFERENCE = "/docs";
export const SEARCH = `${REFERENCE}/search`;
export const SHAPES = `${REFERENCE}/shapes`;
export const subjectHref = ({ anchor }: Pick<SubjectDoc, "anchor">): string => `${REFERENCE}/${anchor}`;
export const callHref = (subject: Pick<SubjectDoc, "anchor">, { anchor }: Pick<CallDoc, "anchor">): string =>
  `${subjectHref(subject)}/${anchor}`;
export const shapeHref = (name: string): string => `${SHAPES}/${name.toLowerCase()}`;
export const shapeAnchor = (name: string): string => `shape-${name.toLowerCase()}`;
export const codeAnchor = (code: string): string => `error-${code}`;
export const codeHref = (code: string): string => `${REFERENCE}#${codeAnchor(code)}`;
