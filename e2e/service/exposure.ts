import { query } from "#testing/query.ts";
import { databaseOf } from "./administrator.ts";
import type { Service } from "./run.ts";

type Sent = {
  headers?: Record<string, string>;
  json?: unknown;
  /** A body that is sent unchanged, such as invalid JSON. */
  text?: string;
  form?: Record<string, string>;
};

export type Received = { status: number; text: string; headers: Headers; json<Answer>(): Answer };

/** Calls a service over HTTP, keeps every answer, and finds where a text appeared. */
export class Exposure {
  readonly #service: Service;
  readonly #answers: { label: string; text: string }[] = [];
  #tables: { label: string; text: string }[] = [];

  constructor(service: Service) {
    this.#service = service;
  }

  /** `label` names this exchange in findings. */
  async send(label: string, method: "GET" | "POST", path: string, sent: Sent = {}): Promise<Received> {
    const { headers = {}, json, form } = sent;
    const body = json === undefined ? (form ? new URLSearchParams(form) : sent.text) : JSON.stringify(json);
    const response = await fetch(new URL(path, this.#service.baseUrl), {
      method,
      redirect: "manual",
      headers: { ...(body !== undefined && !form ? { "Content-Type": "application/json" } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    this.#answers.push({ label, text: `${head}\n\n${text}` });
    return {
      status: response.status,
      text,
      headers: response.headers,
      json: <Answer>() => JSON.parse(text) as Answer,
    };
  }

  /** Every row of every table, each column as text, as it is now. */
  async dump(): Promise<void> {
    const url = await databaseOf(this.#service.dataDir);
    const tables = await query(
      url,
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT')`,
    );
    this.#tables = [];
    for (const { name } of tables) {
      const rows = await query(url, `SELECT t::text AS row FROM ${name} t`);
      this.#tables.push({ label: `table ${name}`, text: rows.map(({ row }) => row).join("\n") });
    }
  }

  /** Where a text was found, in any encoding: answers by their labels, tables by their names, the log. */
  placesOf(secret: string): string[] {
    const encodings = encodingsOf(secret);
    const everywhere = [...this.#answers, ...this.#tables, { label: "log", text: this.#service.said() }];
    const found = everywhere.filter(({ text }) => encodings.some((encoded) => text.includes(encoded)));
    return [...new Set(found.map(({ label }) => label))];
  }

  /** How much was searched. */
  get extent() {
    return {
      answers: this.#answers.length,
      tables: this.#tables.length,
      logLines: this.#service.said().split("\n").length,
    };
  }
}

/** The encodings in which a text may appear: plain, without its prefix, percent-encoded, hexadecimal, base64. */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const bare = secret.replace(/^[a-z]+_(?:live_|test_)?/, "");
  const base64 = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
  return [secret, ...(bare.length >= 16 ? [bare] : []), encodeURIComponent(secret), bytes.toString("hex"), base64];
}
