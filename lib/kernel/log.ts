import { type Logger, pino } from "pino";
import { env } from "./env.ts";

const SECRET = /gh[mck]_[A-Za-z0-9_-]{43}|\b(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9_+/=-]+/g;

/** Replaces private secrets in a line: the last net under "never log headers or bodies". */
export function redact(line: string): string {
  return line.replace(SECRET, (secret) => `${secret.slice(0, 4)}[redacted]`);
}

const shared = globalThis as { guildhallLog?: Logger };

/** JSON lines in production, readable lines in development; secrets never reach either. */
export function log(): Logger {
  if (!shared.guildhallLog) {
    const { production, logLevel } = env();
    shared.guildhallLog = pino({
      level: logLevel,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redact },
      ...(production
        ? {}
        : { transport: { target: "pino-pretty", options: { ignore: "request_id", translateTime: "HH:MM:ss" } } }),
    });
  }
  return shared.guildhallLog;
}
