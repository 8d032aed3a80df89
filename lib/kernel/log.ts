import { type Logger, pino } from "pino";
import { env } from "./env.ts";

const SECRET = /gh[amck]_[A-Za-z0-9_-]{43}|\b(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9_+/=-]+/g;

/** Replaces private secrets in a line: the last net under "never log headers or bodies". */
export function redact(line: string): string {
  return line.replace(SECRET, (secret) => `${secret.slice(0, 4)}[redacted]`);
}

const shared = globalThis as { guildhallLog?: Logger; guildhallAccessLog?: Logger | null };

/** JSON lines in production, readable lines in development; secrets never reach either. */
export function log(): Logger {
  if (!shared.guildhallLog) {
    shared.guildhallLog = pino({
      ...options(),
      ...(env().production
        ? {}
        : {
            transport: {
              target: "pino-pretty",
              options: { ignore: "request_id", singleLine: true, translateTime: "HH:MM:ss" },
            },
          }),
    });
  }
  return shared.guildhallLog;
}

const options = () => ({
  level: env().logLevel,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label: string) => ({ level: label }) },
  hooks: { streamWrite: redact },
});

/** The access log's lines are written together: a system call for each would cost more than many requests. Less than what is written at once (16 KiB). */
const ACCESS_BUFFER_BYTES = 8_192;
const ACCESS_FLUSH_MS = 1_000;

/** For the line that every request gets, at the info level; undefined if that level is off. A crash may lose the last second of it. */
export function accessLog(): Logger | undefined {
  if (shared.guildhallAccessLog === undefined) {
    if (!log().isLevelEnabled("info")) shared.guildhallAccessLog = null;
    else if (!env().production) shared.guildhallAccessLog = log();
    else {
      const destination = pino.destination({ sync: false, minLength: ACCESS_BUFFER_BYTES });
      setInterval(() => destination.flush(), ACCESS_FLUSH_MS).unref();
      process.once("exit", () => destination.flushSync());
      shared.guildhallAccessLog = pino(options(), destination);
    }
  }
  return shared.guildhallAccessLog ?? undefined;
}
