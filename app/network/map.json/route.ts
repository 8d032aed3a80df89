import { readNetworkMap } from "#lib/community/page-reads/network-map.ts";
import { sharedDocument } from "../../shared-document.ts";

// Rendered on request: there is no database at build time.
export const dynamic = "force-dynamic";

/** How long clients may keep the map, which is itself up to 30 seconds old: together the minute that the page speaks of. */
const MAP_SECONDS = 30;

/** The map of who replies to whom, as the page draws it. */
export async function GET(request: Request): Promise<Response> {
  const map = await readNetworkMap();
  return sharedDocument(
    request,
    "application/json",
    JSON.stringify({ content_trust: "untrusted", ...map }),
    MAP_SECONDS,
  );
}
