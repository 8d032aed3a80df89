import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { fromHex, utf8 } from "../src/bytes.ts";
import { canonicalJson } from "../src/canonical-json.ts";
import { sha256Text } from "../src/sha256.ts";
import { checkpointText, cosign } from "../src/tlog/checkpoint.ts";
import { foldTree, type Hash, hashLeaf, inclusionRanges } from "../src/tlog/merkle.ts";
import { formatVkey, keyId, SIGNATURE_TYPES, type Signer, signatureLine, signNote } from "../src/tlog/note.ts";
import { formatProof } from "../src/tlog/proof.ts";
import type { Erased, Facts, Statement } from "../src/verify/bundle.ts";

// For tests alone: a platform in memory, with keys that anyone can compute.

/** An Ed25519 key from one repeated byte. */
function keyFrom(byte: number) {
  const seed = Buffer.alloc(32, byte);
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const publicKey = new Uint8Array(createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32));
  return { publicKey, sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)) };
}

export function signerFrom(byte: number, name: string, type: number = SIGNATURE_TYPES.note): Signer {
  const key = keyFrom(byte);
  return { ...key, name, type, id: keyId(name, type, key.publicKey) };
}

export const LOG = signerFrom(1, "guild.example/log");
export const LOG_KEY = formatVkey(LOG);
export const WITNESS = signerFrom(2, "witness.example/witness", SIGNATURE_TYPES.cosignature);
const TASK = "tsk_2222222222222222222222";
const CONTRACT = "con_2222222222222222222222";
const REQUESTER = "agt_2222222222222222222222";
const PROVIDER = "agt_3333333333333333333333";
export const SALT = "AAAAAAAAAAAAAAAAAAAAAA";

const salted = (text: string) => ({ salt: SALT, text });
const hashOf = (value: unknown) => sha256Text(canonicalJson(value));

const CRITERIA: unknown[] = ["It is right."];
const TERMS = {
  amount_pence: 999,
  contract_id: CONTRACT,
  currency: "GBP",
  data_terms: "",
  due_at: null,
  fee_policy: { bps: 1_000, minimum_live_pence: 999, rounding: "net_down" },
  payment_mode: "TEST",
  provider: { name: "Provider", public_id: PROVIDER },
  requester: { name: "Requester", public_id: REQUESTER },
  scope: "Count the words.",
  task_id: TASK,
  version: 1,
};
const termsWith = (criteria: unknown[]) => canonicalJson({ ...TERMS, acceptance_criteria: criteria });

export type Step = [event: string, publicId: string, facts: Facts];

/**
 * A task from its creation to its settlement, the provider signing its acceptance and its result.
 * @param checks what the platform found when it checked the result against the criteria
 */
export function completedTask({
  criteria = CRITERIA,
  checks,
}: {
  criteria?: unknown[];
  checks?: Facts[];
} = {}): Step[] {
  const party = keyFrom(3);
  const signing = { kty: "OKP", crv: "Ed25519", x: Buffer.from(party.publicKey).toString("base64url") };
  const signed = (text: string) => ({
    signature: Buffer.from(party.sign(utf8(text))).toString("base64url"),
    signing_key: signing,
  });
  const hash = sha256Text(termsWith(criteria));
  const evidence = sha256Text("evidence");
  const settlement = {
    settlement_id: "stl_2222222222222222222222",
    contract_id: CONTRACT,
    gross_pence: 999,
    fee_pence: 100,
    net_pence: 899,
    payment_mode: "TEST",
    simulated: true,
  };
  const brief_hash = hashOf(salted("Count the words of a text."));
  return [
    [
      "task.created",
      REQUESTER,
      {
        requester: REQUESTER,
        provider: PROVIDER,
        budget_pence: 1_000,
        payment_mode: "TEST",
        visibility: "unlisted",
        brief_hash,
      },
    ],
    ["task.claimed", PROVIDER, { provider: PROVIDER }],
    ["contract.proposed", REQUESTER, { contract_id: CONTRACT, terms_hash: hash }],
    ["contract.accepted", REQUESTER, { contract_id: CONTRACT, terms_hash: hash, by: "requester" }],
    [
      "contract.accepted",
      PROVIDER,
      {
        contract_id: CONTRACT,
        terms_hash: hash,
        by: "provider",
        ...signed(`guildhall.accept/1\n${LOG.name}\n${CONTRACT}\n${hash}\n`),
      },
    ],
    ["settlement.recorded", PROVIDER, settlement],
    ["task.started", PROVIDER, {}],
    [
      "task.submitted",
      PROVIDER,
      {
        evidence_hash: evidence,
        result_hash: hashOf(salted("There are 12.")),
        ...(checks ? { criteria: checks } : {}),
        ...signed(`guildhall.submit/1\n${LOG.name}\n${TASK}\n${evidence}\n`),
      },
    ],
    ["task.completed", REQUESTER, { by: "requester" }],
    ["settlement.approved", REQUESTER, settlement],
  ];
}

export type Made = { statements: (Statement | Erased)[]; proofs: (string | null)[] } & Record<string, unknown>;

/**
 * An evidence file as the platform would make it.
 * @param waiting how many of the last statements have no proof yet @param log the key that signs
 */
export function makeEvidence(
  steps = completedTask(),
  { waiting = 0, log = LOG, criteria = CRITERIA }: { waiting?: number; log?: Signer; criteria?: unknown[] } = {},
): Made {
  const statements: Statement[] = [];
  let prev: string | null = null;
  for (const [event, publicId, facts] of steps) {
    const n = statements.length + 1;
    const actor = { kind: "service", public_id: publicId };
    const at = `2026-11-22T12:00:${String(n).padStart(2, "0")}.000Z`;
    const statement: Statement = {
      type: "guildhall.statement/1",
      log: log.name,
      event,
      at,
      chain: TASK,
      n,
      prev,
      actor,
      facts,
      salt: SALT,
    };
    prev = hashOf(statement);
    statements.push(statement);
  }
  // Between any two statements of this chain stands one of another.
  const entries = statements.flatMap((statement) => [hashOf("another"), hashOf(statement)]);
  const leaves = entries.map((hash) => hashLeaf(fromHex(hash.slice("sha256:".length)) as Hash));
  const rootOf = ({ start, end }: { start: number; end: number }) => foldTree(leaves.slice(start, end));
  const text = checkpointText({ origin: log.name, size: leaves.length, root: foldTree(leaves) });
  const checkpoint = signNote(text, log) + signatureLine(WITNESS, cosign(text, 1_790_000_000, WITNESS));
  const proofs = statements.map((_, at) => {
    if (at >= statements.length - waiting) return null;
    const index = at * 2 + 1;
    return formatProof({
      index,
      hashes: inclusionRanges(index, leaves.length).map(rootOf),
      checkpointText: checkpoint,
    });
  });
  return {
    ok: true,
    content_trust: "untrusted",
    type: "guildhall.evidence/1",
    log: { origin: log.name, vkey: formatVkey(log) },
    chain: TASK,
    statements,
    proofs,
    attachments: {
      terms: { [CONTRACT]: termsWith(criteria) },
      brief: salted("Count the words of a text."),
      result: salted("There are 12."),
    },
    made_at: "2026-11-22T12:01:00.000Z",
  };
}
