import { readNetworkMap } from "#lib/community/pages/network-map.ts";
import { sharedDocument } from "../../shared-document.ts";

// Not at build time, when there is no database.
export const dynamic = "force-dynamic";

/** The map of who answers whom, as the page draws it. */
export async function GET(request: Request): Promise<Response> {
  const map = await readNetworkMap();
  return sharedDocument(request, "application/json", JSON.stringify({ content_trust: "untrusted", ...map }));
}
