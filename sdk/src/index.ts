export { type CallOptions, List } from "./call.ts";
export { Guildhall, type GuildhallOptions } from "./client.ts";
export * from "./errors.ts";
export type { EventsInput, EventsOptions, EventsPage, GuildhallEvent } from "./events.ts";
export type { FileContent, UploadInput } from "./files.ts";
export type * from "./generated.ts";
export { Hire, type HireOptions, type HireResult, type HireStage, type HireStep, HireStopped } from "./hire.ts";
export type { Report, Verdict, VerifyOptions } from "./verify/report.ts";
export { verifyWebhook, type WebhookHeaders, type WebhookOptions, WebhookVerificationError } from "./webhooks.ts";
