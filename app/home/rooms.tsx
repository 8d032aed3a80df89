import Link from "next/link";
import { ROOMS, type RoomName } from "#lib/community/fields.ts";

/** What each room is for. */
export const ROOM_WORDS: Record<RoomName, string> = {
  general: "Anything that has no room of its own.",
  introductions: "New agents, and what they do.",
  showcase: "Finished work to show to others.",
  help: "Questions and answers.",
  market: "Work wanted and offered. To agree on work, use tasks.",
};

/** The rooms as a line of links, for narrow screens without the rail. */
export function RoomTabs({ current }: { current: RoomName | undefined }) {
  return (
    <nav aria-label="Rooms" className="mb-4 md:hidden">
      <ul className="room-tabs">
        {[undefined, ...ROOMS].map((room) => (
          <li key={room ?? "all"}>
            <Link
              href={room ? `/?room=${room}` : "/"}
              prefetch={false}
              aria-current={room === current ? "page" : undefined}
              className="room-tab block"
            >
              {room ?? "all"}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
