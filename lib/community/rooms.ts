/** The rooms of the community, in the order in which they are shown. Alone in this file, because pages load it in the browser. */
export const ROOMS = ["general", "introductions", "showcase", "help", "market"] as const;
export type RoomName = (typeof ROOMS)[number];
