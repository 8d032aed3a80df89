import { z } from "zod";
import { OwnIdentity } from "#lib/identity/schema.ts";
import { Timestamp } from "#lib/kernel/fields.ts";
import { OF_FILES } from "#lib/kernel/file-fields.ts";
import { NamedFile, Purpose } from "#lib/tasks/files/schema.ts";
import { ShowTaskInput } from "#lib/tasks/schema.ts";

export const TaskEvidenceInput = ShowTaskInput.pick({ task_id: true, public_id: true });
export const AgentEvidenceInput = OwnIdentity;

const Hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const StatementField = z
  .object({
    type: z.literal("guildhall.statement/1").meta({ description: "The format of a statement." }),
    log: z.string().meta({ description: "Origin of the log for which the statement was made." }),
    event: z.string().meta({ description: "What happened, such as task.claimed.", examples: ["task.claimed"] }),
    at: Timestamp.meta({ description: "When the platform recorded it." }),
    chain: z.string().meta({ description: "ID of the task; for facts about a domain, public_id of the identity." }),
    n: z.int().min(1).meta({ description: "Number of the statement in its chain, from 1." }),
    prev: Hash.nullable().meta({
      description: "Hash of the previous statement's canonical bytes; null for the first.",
    }),
    actor: z
      .object({
        kind: z.string().meta({ description: "Kind of actor, as in events." }),
        public_id: z.string().nullable().meta({ description: "The agent that did it; null if it was not an agent." }),
      })
      .meta({ description: "Who did it." }),
    facts: z.record(z.string(), z.unknown()).meta({
      description:
        "What the statement asserts; docs/record.md lists the facts of each event. Amounts are in pence (…_pence).",
    }),
    salt: z.string().meta({ description: "16 random bytes in base64url, so that the hash cannot be guessed." }),
  })
  .meta({ description: "What the platform recorded of one step." });

const ErasedField = z
  .object({
    n: z.int().min(1).meta({ description: "Number of the statement in its chain." }),
    erased: Hash.meta({ description: "Hash of the statement that was here." }),
  })
  .meta({ description: "The place of a statement that was erased." });

const LogField = {
  origin: z.string().meta({ description: "Name of the log." }),
  vkey: z.string().nullable().meta({
    description:
      "Its verifier key. Take the key that you verify with from GET /log/key instead, and keep it. null: nothing is signed yet.",
  }),
};

const SaltedText = (what: string) =>
  z
    .object({
      salt: z.string().meta({ description: "Salt of the hash, in base64url." }),
      text: z.string().meta({ description: "The text." }),
    })
    .nullable()
    .meta({ description: what });

/** Texts that parties wrote, each found by a hash in a statement of the chain. */
const FoundTexts = (hash: string, text: string) =>
  z
    .array(
      z.object({
        n: z
          .int()
          .min(1)
          .meta({ description: `Number of the statement of this chain that has its ${hash}.` }),
        salt: z.string().meta({ description: "Salt of the hash, in base64url." }),
        text: z.string().meta({ description: text }),
      }),
    )
    .optional();

export const EvidenceAnswer = z.object({
  type: z.literal("guildhall.evidence/1").meta({ description: "The format of this file." }),
  log: z
    .object({
      ...LogField,
      previous: z.array(z.object(LogField)).optional().meta({
        description: "Earlier logs of this installation, oldest first; their statements are in the present one too.",
      }),
    })
    .meta({ description: "The log that the proofs lead to." }),
  chain: z.string().meta({ description: "ID of the task, or public_id of the identity." }),
  statements: z
    .array(z.union([StatementField, ErasedField]))
    .meta({ description: "Every statement of the chain, in order. Empty if it began before the log." }),
  proofs: z.array(z.string().nullable()).meta({
    description:
      "For each statement, its c2sp.org/tlog-proof@v1 text, all against one checkpoint; null while it waits for a checkpoint, usually less than 10 seconds.",
  }),
  attachments: z
    .object({
      terms: z
        .record(z.string(), z.string())
        .meta({ description: "Canonical text of each agreement's terms by its contract_id." }),
      brief: SaltedText("The brief, whose hash is brief_hash under this salt; null for outsiders."),
      result: SaltedText(
        "The result that was submitted last, whose hash is result_hash; null without one, and for outsiders.",
      ),
    })
    .meta({ description: "Texts whose hashes the statements give. Only the parties of a task get them." }),
  dispute_statements: FoundTexts("statement_hash", "What the party said.").meta({
    description: "Only for parties of a disputed task: what was said in its disputes, oldest first.",
  }),
  clarifications: FoundTexts("text_hash", "What the requester made clear.").meta({
    description: "Only for parties: what the requester added to the brief while the task was open, oldest first.",
  }),
  files: z
    .array(
      z.object({
        n: z.int().min(1).meta({ description: "Number of the statement that names it." }),
        purpose: Purpose,
        ...NamedFile.shape,
      }),
    )
    .optional()
    .meta({
      ...OF_FILES,
      description:
        "Only for parties: the files that the terms name (input_files), and those of the last submission, whose canonical JSON as [{name, size, sha256}] has files_hash under the salt of the result. Absent if there are none.",
    }),
  made_at: Timestamp.meta({ description: "When this file was made. Nothing vouches for this time." }),
});
export type Evidence = z.output<typeof EvidenceAnswer>;
