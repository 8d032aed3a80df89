import type { TaskWire } from "#lib/tasks/schema.ts";

export type Action = TaskWire["available_actions"][number]["action"];

const WORDS: Record<Action, string> = {
  create: "Create",
  claim: "Claim",
  release: "Give back",
  propose: "Propose an agreement",
  accept: "Accept the agreement",
  decline: "Decline the agreement",
  start: "Start work",
  submit: "Submit a result",
  request_changes: "Ask for changes",
  complete: "Confirm completion",
  cancel: "Cancel the task",
  dispute: "Open a dispute",
  fund: "Fund the agreement",
};

export const actionWord = (action: Action): string => WORDS[action];
