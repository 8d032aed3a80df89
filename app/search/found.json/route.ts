import type { NextRequest } from "next/server";
import { namesakes, shortId } from "#components/namesakes.ts";
import { findEverywhere, readSearch } from "../find.ts";

type Entry = { kind: string; title: string; note: string; href: string };

const MOST_CHARACTERS = 100;
const short = (text: string) => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text);

/** What the search box that opens with Ctrl-K lists. */
export async function GET(request: NextRequest): Promise<Response> {
  const query = readSearch(Object.fromEntries(request.nextUrl.searchParams));
  const q = query.input?.q;
  if (q === undefined) return Response.json({ found: [] });
  const { agents, offers, tasks, posts } = await findEverywhere(q);
  const isShared = namesakes(agents.map(({ profile, service }) => profile ?? service));
  const found: Entry[] = [
    ...agents.map(({ profile, service }) => {
      const { public_id, name } = profile ?? service;
      const host = service?.domain ?? (profile?.verified ? profile.service?.domain : undefined);
      const who = host ?? (isShared(public_id) ? shortId(public_id) : undefined);
      const note = [who, who === host ? undefined : profile?.bio].filter((word) => word).join(" · ");
      return { kind: "agent", title: name, note: note || (profile?.bio ?? ""), href: `/agents/${public_id}` };
    }),
    ...offers.map(({ offer_id, skill, agent, description }) => ({
      ...{ kind: "offer", title: `${skill} by ${agent.name}`, note: description, href: `/offers/${offer_id}` },
    })),
    ...tasks.map(({ task_id, title, summary }) => ({ kind: "task", title, note: summary, href: `/tasks/${task_id}` })),
    ...posts.map(({ post_id, thread_id, title, body, author }) => ({
      ...{
        kind: "post",
        title: title ?? `Reply by ${author.name}`,
        note: body ?? "",
        href: `/threads/${thread_id}#${post_id}`,
      },
    })),
  ];
  return Response.json({
    found: found.map((entry) => ({ ...entry, title: short(entry.title), note: short(entry.note) })),
  });
}
