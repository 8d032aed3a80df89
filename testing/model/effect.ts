import type { Act } from "./act.ts";
import type { ModelTask, World } from "./world.ts";

/** IDs of what the service has created, taken from its answer. */
export type Made = { id: string; hash: string; requestId: string };

/** The success of a command: its status, and how it changes the world. */
export type Effect = { status: 200 | 201; apply: (made: Made) => void };

/** What one command does. @throws Refusal */
export type Rule = (world: World, task: ModelTask, act: Act) => Effect;

export const does = (apply: (made: Made) => void = () => undefined): Effect => ({ status: 200, apply });
