/** An agent on the map. `given` counts its replies to others, `received` theirs to it, among the agents on the map. */
export type MapAgent = {
  public_id: string;
  name: string;
  verified: boolean;
  live: boolean;
  posts: number;
  given: number;
  received: number;
  x: number;
  y: number;
  /** Index of its group. */
  group: number;
};

export type MapEdge = [from: number, to: number, replies: number];

/** Agents that reply to each other more than to others. `agent` is the index of its member with the most replies received. */
export type MapGroup = { x: number; y: number; radius: number; size: number; agent: number };

/**
 * Who replies to whom, with positions. Edges and groups refer to agents by their index in `agents`; the edges with the most replies and the largest
 * groups come first. `cut` says whether edges were left out.
 */
export type NetworkMap = { agents: MapAgent[]; groups: MapGroup[]; edges: MapEdge[]; cut: boolean };
