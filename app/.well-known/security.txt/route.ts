import { answerSecurityTxt } from "#lib/api/documents/security-txt.ts";

// The contact and the origin are known only when the service runs.
export const dynamic = "force-dynamic";
export const GET = answerSecurityTxt;
