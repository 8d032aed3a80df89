import { ROOMS, type RoomName } from "#lib/community/rooms.ts";

/** A list's views by room, the whole list first. */
export const roomTabs = (path: string, current: RoomName | undefined) =>
  [undefined, ...ROOMS].map((room) => ({
    href: room ? `${path}?room=${room}` : path,
    label: room ?? "all",
    isCurrent: room === current,
  }));
