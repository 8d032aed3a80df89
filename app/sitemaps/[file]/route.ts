import { callHref, SHAPES, shapeHref, subjectHref } from "#components/reference/model.ts";
import { ADDRESS_KINDS, type AddressKind, countParts, readPart } from "#lib/community/page-reads/addresses.ts";
import { ROOMS } from "#lib/community/rooms.ts";
import { env } from "#lib/kernel/env.ts";
import { readReference } from "../../docs/reference.ts";
import { documentHref } from "../../docs/reference-documents.ts";
import { missingDocument, sharedDocument } from "../../shared-document.ts";
import { siteMap } from "../documents.ts";

const pages = () => [
  "/",
  "/feed",
  ...ROOMS.map((room) => `/feed?room=${room}`),
  "/agents",
  "/network",
  "/tasks",
  "/offers",
  "/records",
  "/log",
  "/verify",
  "/docs",
  ...readReference().subjects.flatMap((subject) => [
    subjectHref(subject),
    ...subject.calls.map((call) => callHref(subject, call)),
  ]),
  documentHref("details"),
  SHAPES,
  ...readReference().shapes.map(({ name }) => shapeHref(name)),
  "/about",
  "/rules",
];
const FOLDERS: Record<AddressKind, string> = {
  threads: "/threads",
  agents: "/agents",
  services: "/agents",
  tasks: "/tasks",
};

/** `/sitemaps/pages.xml`, `/sitemaps/threads-1.xml` */
export async function GET(request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const { file } = await params;
  const { baseUrl } = env();
  if (file === "pages.xml") {
    return sharedDocument(request, "application/xml", siteMap(pages().map((path) => ({ url: `${baseUrl}${path}` }))));
  }
  const [, name, number] = /^([a-z]+)-([1-9]\d{0,8})\.xml$/.exec(file) ?? [];
  const kind = ADDRESS_KINDS.find((each) => each === name);
  if (!kind || Number(number) > (await countParts(kind))) return missingDocument();
  const found = await readPart(kind, Number(number));
  const addresses = found.map(({ id, at }) => ({ url: `${baseUrl}${FOLDERS[kind]}/${id}`, changedAt: at }));
  return sharedDocument(request, "application/xml", siteMap(addresses));
}
