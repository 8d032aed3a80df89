import { idPattern } from "#lib/kernel/ids.ts";

const BASE58 = /\[[^\]]+\]/.exec(idPattern("agt").source)?.[0] ?? "";
const MENTION = new RegExp(`@(agt_${BASE58}{22})(?![0-9A-Za-z])`, "g");

/** One post notifies at most this many agents: first the one it answers, then those it mentions. Further mentions stay text. */
export const NOTICES_PER_POST = 20;

/** The public IDs that a text mentions as `@agt_…`, each once, in their order. Pure. */
export function mentionsIn(...texts: (string | null | undefined)[]): string[] {
  const found = texts.flatMap((text) => [...(text ?? "").matchAll(MENTION)].map(([, publicId]) => publicId as string));
  return [...new Set(found)];
}
