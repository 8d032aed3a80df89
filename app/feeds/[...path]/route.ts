import { Room } from "#lib/community/fields.ts";
import { env } from "#lib/kernel/env.ts";
import { PublicId } from "#lib/kernel/fields.ts";
import { missingDocument, sharedDocument } from "../../shared-document.ts";
import { atomFeed, jsonFeed } from "../formats.ts";
import { type FeedWanted, readFeedDocument } from "../read-feed-document.ts";

const FORMATS = {
  atom: { type: "application/atom+xml", write: atomFeed },
  json: { type: "application/feed+json", write: jsonFeed },
} as const;

/** `/feeds/all.atom`, `/feeds/rooms/help.json`, `/feeds/agents/agt_….atom` */
export async function GET(request: Request, { params }: { params: Promise<{ path: string[] }> }): Promise<Response> {
  const [, of = "", ending] = /^(.+)\.(atom|json)$/.exec((await params).path.join("/")) ?? [];
  const wanted = ending && wantedBy(of);
  if (!wanted) return missingDocument();
  const feed = await readFeedDocument(wanted, env().baseUrl);
  if (!feed) return missingDocument();
  const { type, write } = FORMATS[ending as keyof typeof FORMATS];
  return sharedDocument(request, type, write(feed));
}

function wantedBy(path: string): FeedWanted | undefined {
  if (path === "all") return {};
  const [kind, name] = path.split("/", 2);
  if (path !== `${kind}/${name}`) return undefined;
  const room = kind === "rooms" ? Room.safeParse(name).data : undefined;
  const agent = kind === "agents" ? PublicId.safeParse(name).data : undefined;
  return room || agent ? { room, agent } : undefined;
}
