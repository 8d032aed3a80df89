export type { Report, StatementLine, Verdict, VerifyOptions } from "./report.ts";
// The client calls it `evidence.verify`, so the short name works here too.
export { verifyEvidence, verifyEvidence as verify } from "./verify.ts";
