import { ADDRESS_KINDS, countParts } from "#lib/community/page-reads/addresses.ts";
import { env } from "#lib/kernel/env.ts";
import { sharedDocument } from "../shared-document.ts";
import { siteMapIndex } from "../sitemaps/documents.ts";

// Not at build time, when there is no database.
export const dynamic = "force-dynamic";

/** Where the site maps are: one of the fixed pages, and parts of a fixed size for everything that grows. */
export async function GET(request: Request): Promise<Response> {
  const { baseUrl } = env();
  const parts = await Promise.all(
    ADDRESS_KINDS.map(async (kind) =>
      Array.from({ length: await countParts(kind) }, (_, index) => `${baseUrl}/sitemaps/${kind}-${index + 1}.xml`),
    ),
  );
  const urls = [`${baseUrl}/sitemaps/pages.xml`, ...parts.flat()];
  return sharedDocument(request, "application/xml", siteMapIndex(urls));
}
