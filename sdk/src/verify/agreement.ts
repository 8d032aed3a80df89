import { fromBase64url, utf8 } from "../bytes.ts";
import { verifyEd25519 } from "../ed25519.ts";
import { isPence, type Terms } from "./attachments.ts";
import { type Erased, type Facts, isErased, isObject, isText, type Statement } from "./bundle.ts";

/**
 * Checks what the statements say about each agreement: acceptances of the terms that were proposed, by two parties, and a
 * settlement that follows them. An acceptance that was prepared rests on the requester's last preparation before it. Where a statement has been erased, what it said is not required.
 */
export function checkAgreements(statements: (Statement | Erased)[], terms: Map<string, Terms>): string[] {
  const problems: string[] = [];
  const hasGaps = statements.some(isErased);
  const proposed = new Map<unknown, unknown>();
  const accepted = new Map<unknown, Set<unknown>>();
  const recorded = new Map<unknown, Facts>();
  /** When the requester last prepared an acceptance that it has not taken back. */
  let preparedAt: unknown;
  for (const statement of statements) {
    if (isErased(statement)) continue;
    const { event, facts, n, actor } = statement;
    const say = (problem: string) => problems.push(`Entry ${n}: ${problem}`);
    const id = facts.contract_id;
    const frozen = terms.get(String(id));
    if (event === "contract.proposed") proposed.set(id, facts.terms_hash);
    if (event === "task.created" || event === "task.prepared")
      preparedAt = facts.accept === true ? facts.prepared_at : undefined;
    if (event === "contract.accepted" || event === "contract.signed") {
      const hash = proposed.get(id);
      if (hash === undefined ? !hasGaps : facts.terms_hash !== hash)
        say("the terms that were accepted are not those that were proposed.");
      if (frozen && !isParty(frozen, facts.by, actor.public_id)) say("someone else than the party accepted the terms.");
    }
    if (event === "contract.signed" && !accepted.get(id)?.has(facts.by) && !hasGaps)
      say("an acceptance was signed that is not there.");
    if (event === "contract.accepted") {
      if (facts.prepared_at !== undefined && !hasGaps && (facts.by !== "requester" || facts.prepared_at !== preparedAt))
        say("the acceptance was not prepared when it says.");
      const parties = accepted.get(id) ?? new Set();
      if (parties.has(facts.by)) say("the same party accepted twice.");
      accepted.set(id, parties.add(facts.by));
    }
    if (event.startsWith("settlement.")) {
      if ((accepted.get(id)?.size ?? 0) < 2 && !hasGaps) say("there is a settlement, but not both parties accepted.");
      const problem = problemOfFigures(facts, frozen);
      if (problem) say(problem);
      const first = recorded.get(facts.settlement_id) ?? facts;
      recorded.set(facts.settlement_id, first);
      if (first.gross_pence !== facts.gross_pence) say("the settlement's gross amount has changed.");
    }
  }
  return problems;
}

function isParty({ requester, provider }: Terms, by: unknown, publicId: string | null): boolean {
  return publicId === (by === "requester" ? requester : by === "provider" ? provider : undefined)?.public_id;
}

/** The provider's net is rounded down to the penny, and the fee is the rest. */
function problemOfFigures(facts: Facts, terms: Terms | undefined): string | undefined {
  const { gross_pence: gross, fee_pence: fee, net_pence: net, awarded_pence: awarded = gross } = facts;
  if (![gross, fee, net, awarded].every(isPence)) return "the settlement's amounts are not whole pence.";
  const [grossPence, awardedPence] = [gross as number, awarded as number];
  if (awardedPence > grossPence) return "more is awarded than was agreed.";
  if ((fee as number) + (net as number) !== awardedPence) return "the settlement's fee and net amount do not add up.";
  if (!terms) return undefined;
  if (grossPence !== terms.amount_pence || facts.payment_mode !== terms.payment_mode)
    return "the settlement is not of the amount and mode in the terms.";
  const expected = (BigInt(awardedPence) * BigInt(10_000 - terms.fee_policy.bps)) / 10_000n;
  return BigInt(net as number) === expected ? undefined : "the settlement does not follow the fee policy in the terms.";
}

export type PartySignature = { n: number; event: string; publicId: string; key: string };

/** The text that a party signs when it accepts terms or submits a result; undefined for other events. */
function signedText({ event, log, chain, facts }: Statement): string | undefined {
  const { contract_id: contract, terms_hash: terms, evidence_hash: evidence } = facts;
  if ((event === "contract.accepted" || event === "contract.signed") && isText(contract) && isText(terms))
    return `guildhall.accept/1\n${log}\n${contract}\n${terms}\n`;
  if (event === "task.submitted" && isText(evidence)) return `guildhall.submit/1\n${log}\n${chain}\n${evidence}\n`;
  return undefined;
}

/** Checks the parties' own signatures, where there are any. */
export async function checkSignatures(
  statements: (Statement | Erased)[],
): Promise<{ signatures: PartySignature[]; problems: string[] }> {
  const signatures: PartySignature[] = [];
  const problems: string[] = [];
  for (const statement of statements) {
    if (isErased(statement)) continue;
    const { signature, signing_key: jwk } = statement.facts;
    if (signature === undefined && jwk === undefined) continue;
    const { n, event, actor } = statement;
    const text = signedText(statement);
    const x = isObject(jwk) && jwk.kty === "OKP" && jwk.crv === "Ed25519" && typeof jwk.x === "string" ? jwk.x : "";
    const key = fromBase64url(x);
    const bytes = typeof signature === "string" ? fromBase64url(signature) : undefined;
    const isRight = key && bytes && text !== undefined && (await verifyEd25519(key, bytes, utf8(text)));
    if (isRight && actor.public_id !== null) signatures.push({ n, event, publicId: actor.public_id, key: x });
    else problems.push(`Entry ${n}: the signature is not that of the key beside it.`);
  }
  return { signatures, problems };
}
