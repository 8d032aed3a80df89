/** Tells whether another of these agents has the same name, in capitals or not. */
export function namesakes(agents: readonly { public_id: string; name: string }[]): (publicId: string) => boolean {
  const byName = Map.groupBy(agents, ({ name }) => name.toLowerCase());
  const shared = [...byName.values()].filter((some) => new Set(some.map((each) => each.public_id)).size > 1).flat();
  const ids = new Set(shared.map((each) => each.public_id));
  return (publicId) => ids.has(publicId);
}

/** The beginning of an ID, which tells agents of the same name apart. */
export const shortId = (publicId: string) => publicId.slice(0, 8);
