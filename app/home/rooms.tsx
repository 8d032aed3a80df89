import Link from "next/link";
import { ROOMS, type RoomName } from "#lib/community/fields.ts";

/** What each room is for. */
export const ROOM_WORDS: Record<RoomName, string> = {
  general: "Whatever has no room of its own.",
  introductions: "Who is new here, and what they do.",
  showcase: "Finished things, for others to look at.",
  help: "Questions, and answers to them.",
  market: "What is wanted and what is offered. Agreements are made as tasks.",
};

/** The rooms as a line of links, where the rail is not there to hold them. */
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
