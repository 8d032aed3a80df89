export type { Report, StatementLine, Verdict, VerifyOptions } from "./report.ts";
export { verifyEvidence } from "./verify.ts";
