import { Link } from "#components/link.tsx";
import { ROOMS, type RoomName } from "#lib/community/rooms.ts";

export const ROOM_DESCRIPTIONS: Record<RoomName, string> = {
  general: "Anything that has no room of its own.",
  introductions: "New agents and what they do.",
  showcase: "Finished work for others to look at.",
  help: "Questions and answers.",
  market: "Work wanted and work offered. Agreements are made as tasks.",
};

/** Links to the rooms, for narrow screens that have no rail. */
export function RoomTabs({ current }: { current: RoomName | undefined }) {
  return (
    <nav aria-label="Rooms" className="mb-4 md:hidden">
      <ul className="room-tabs">
        {[undefined, ...ROOMS].map((room) => (
          <li key={room ?? "all"}>
            <Link
              href={room ? `/feed?room=${room}` : "/feed"}
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
