import { quoteOf } from "#components/user-text/pieces.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import type { FormPart } from "../../../browser/form-fields.tsx";
import { TERMS } from "./terms-fields.ts";

type Available = TaskWire["available_actions"][number];
export type Action = Available["action"];

/** The sections of a task's page, and its dispute where there is one. */
export const SECTIONS = ["work", "agreement", "messages", "money", "files", "history", "dispute"] as const;
export type Section = (typeof SECTIONS)[number];

/** A step that is confirmed in a dialog. The call, and what it is about, come with the task. */
type Asked = {
  title: (name: string) => string;
  action: string;
  says: (task: TaskWire) => string;
  parts?: readonly FormPart[];
  look?: "danger" | "primary";
  /** What the call takes in addition to the fields. */
  adds?: (task: TaskWire, values: Record<string, unknown>) => object;
};

/** How a step is taken on the page: in a dialog, or by a form in a section, which `form` names. */
type Step = { label: string; asked?: Asked; section?: Section; form?: string };

const OPTIONAL_REASON: FormPart = { name: "reason", label: "Reason" };
const required = (label: string): FormPart => ({ name: "reason", label, rows: 4, required: true });

export const STEPS: Record<Action, Step> = {
  create: { label: "Create a task" },
  order: { label: "Order an offer" },
  upload: { label: "Upload a file", section: "files" },
  claim: { label: "Claim the task" },
  quote: { label: "Make a quote", section: "work", form: "quote" },
  choose_quote: { label: "Choose a quote", section: "work", form: "quotes" },
  propose: { label: "Propose an agreement", section: "agreement", form: "propose" },
  accept: { label: "Accept the agreement", section: "agreement" },
  fund: { label: "Fund the agreement", section: "money", form: "fund" },
  confirm: { label: "Confirm the TEST payment", section: "money", form: "fund" },
  submit: { label: "Submit a result", section: "work", form: "submit" },
  message: { label: "Write a message", section: "messages", form: "messages" },
  clarify: { label: "Publish a clarification", section: "messages", form: "messages" },
  dispute_statement: { label: "Give your side", section: "dispute", form: "statement" },
  prepare: {
    label: "Prepare the terms",
    asked: {
      title: () => "Prepare the terms",
      action: "Prepare these terms",
      says: ({ open_to: openTo }) =>
        `A claim then proposes the agreement at once with these terms, for ${openTo === "quotes" ? "the amount of the quote that you choose" : "the whole budget"}. You can remove them until the task is claimed.`,
      parts: TERMS.map((field) => ({ ...field, required: true })),
      adds: ({ budget_pence: amount }, { terms }) => ({ terms: { ...(terms as object), amount_pence: amount } }),
    },
  },
  select: {
    label: "Select a provider",
    asked: {
      title: (name) => `Select a provider for ${name}`,
      action: "Select",
      says: () => "A provider that you selected earlier is told that it is no longer selected.",
      parts: [
        {
          name: "provider_public_id",
          label: "Provider's public ID",
          code: true,
          empty: null,
          hint: "Only this provider can then claim the task. Leave it empty to select nobody.",
        },
      ],
    },
  },
  release: {
    label: "Give back the task",
    asked: {
      title: (name) => `Give back ${name}?`,
      action: "Give back the task",
      says: () => "The task then opens again, and other providers can claim it.",
      parts: [OPTIONAL_REASON],
    },
  },
  dismiss: {
    label: "Dismiss the provider",
    asked: {
      title: (name) => `Dismiss the provider of ${name}?`,
      action: "Dismiss the provider",
      says: () =>
        "The task then opens again, but not to this provider. A proposed agreement lapses. You cannot undo this.",
      parts: [OPTIONAL_REASON],
      look: "danger",
    },
  },
  decline: {
    label: "Decline the agreement",
    asked: {
      title: () => "Decline these terms?",
      action: "Decline these terms",
      says: () => "You cannot undo this. The task stays claimed, and the requester can propose other terms.",
      parts: [required("Reason")],
      look: "danger",
    },
  },
  start: {
    label: "Start work",
    asked: {
      title: (name) => `Start work on ${name}?`,
      action: "Start work",
      says: () =>
        "After that, the task cannot be cancelled or given back. You can still give up the work, which your track record shows.",
      look: "primary",
    },
  },
  complete: {
    label: "Complete",
    section: "work",
    asked: {
      title: (name) => `Complete ${name}?`,
      action: "Complete the task",
      says: ({ payment_mode: mode }) =>
        `You accept the result. The task ends and its settlement is approved. You cannot undo this. ${
          mode === "TEST"
            ? "In TEST the transfer is simulated: no money moves."
            : "For a funded LIVE task, the transfer to the provider may be queued. Completion does not prove a transfer or payout."
        }`,
      look: "primary",
    },
  },
  request_changes: {
    label: "Ask for changes",
    asked: {
      title: (name) => `Ask for changes to the result of ${name}?`,
      action: "Ask for changes",
      says: () => "The task goes back to the provider, who submits again.",
      parts: [required("What is missing")],
    },
  },
  conclude: {
    label: "Conclude the task",
    asked: {
      title: (name) => `Conclude ${name}?`,
      action: "Conclude the task",
      says: () =>
        "The requester has not reviewed the result in time. The task is completed and its settlement is approved. You cannot undo this.",
      look: "primary",
    },
  },
  leave: {
    label: "End overdue work",
    asked: {
      title: (name) => `End the overdue work on ${name}?`,
      action: "End the task",
      says: () =>
        "The task is cancelled without a result, and a confirmed payment is refunded in full. You cannot undo this.",
      parts: [OPTIONAL_REASON],
      look: "danger",
    },
  },
  give_up: {
    label: "Give up the work",
    asked: {
      title: (name) => `Give up the work on ${name}?`,
      action: "Give up the work",
      says: () =>
        "The task is cancelled and you are not paid. A confirmed payment is refunded in full to the requester. Your track record shows that you gave up. You cannot undo this.",
      parts: [OPTIONAL_REASON],
      look: "danger",
    },
  },
  cancel: {
    label: "Cancel the task",
    asked: {
      title: (name) => `Cancel ${name}?`,
      action: "Cancel the task",
      says: () => "The task and any agreement about it end. You cannot undo this; to ask again, post another task.",
      parts: [OPTIONAL_REASON],
      look: "danger",
    },
  },
  dispute: {
    label: "Open a dispute",
    asked: {
      title: (name) => `Open a dispute about ${name}?`,
      action: "Open the dispute",
      says: () =>
        "You cannot undo this. The task cannot be completed until the administrator resolves the dispute. Opening a dispute refunds nothing and closes no checkout.",
      parts: [required("What is wrong")],
      look: "danger",
    },
  },
};

export const actionWord = (action: Action): string => STEPS[action].label;

export const nameOf = (task: TaskWire): string => `“${quoteOf(task.title, 80)}”`;

/** Offered to those who are not asked for anything: they could claim the task, quote for it, or choose among its quotes. */
const OPEN_STEPS: readonly Action[] = ["choose_quote", "claim", "quote"];
/** Offered once the other party has let its time pass. */
const LATE_STEPS: readonly Action[] = ["conclude", "leave"];

/** The step that the moment asks the reader for, as the task offers it: its turn, or what is open to it. Pure. */
export function askedOf(
  task: Pick<TaskWire, "awaited_action" | "prepared" | "available_actions">,
): Available | undefined {
  const { awaited_action: awaited, available_actions: actions } = task;
  const offered = (action: Action) => actions.find((each) => each.action === action);
  if (awaited) return offered(awaited);
  for (const action of OPEN_STEPS) {
    const found = offered(action);
    if (found && isWorthShowing(task, found)) return found;
  }
  return actions.find((each) => LATE_STEPS.includes(each.action) && isTriable(each));
}

/** The alternative to a step, shown next to it. */
export const ALTERNATIVES: Partial<Record<Action, Action>> = { complete: "request_changes" };

const DEPENDS_ON_AMOUNT = ["owner_approval", "over_task_limit", "over_day_limit"];

/**
 * Whether the step may be attempted: nothing blocks it, or only owner limits that the attempt may satisfy. The first attempt asks the owner
 * for approval, and a proposal's amount is not known before it is made. Pure.
 */
export function canTry(task: Pick<TaskWire, "available_actions">, action: Action): boolean {
  return task.available_actions.some((each) => each.action === action && isTriable(each));
}

/** Whether nothing blocks the step, or what blocks it may be gone once it is attempted. Pure. */
export function isTriable({ action, ready, blocked_by: obstacles }: Available): boolean {
  return (
    ready ||
    obstacles.every(
      ({ gate, reason }) =>
        gate === "owner_limits" &&
        (reason === "owner_approval" || (action === "propose" && DEPENDS_ON_AMOUNT.includes(reason))),
    )
  );
}

/** Whether only the time is missing, which the step names. Pure. */
export const isTooEarly = ({ not_before: from, blocked_by: obstacles }: Available): boolean =>
  from !== undefined && obstacles.every(({ gate }) => gate === "clock");

/**
 * Leaves out steps that have no place of their own on the page: a claim that needs a quote first, terms that are prepared already, and
 * uploads. Pure.
 */
export function isWorthShowing(
  { prepared }: Pick<TaskWire, "prepared">,
  { action, blocked_by: obstacles }: Available,
): boolean {
  if (obstacles.some(({ reason }) => reason === "quotes_wanted")) return false;
  return action === "prepare" ? !prepared : action !== "upload";
}
