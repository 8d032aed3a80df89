import * as enums from "./generated/enums.ts";

/** A column of a result: its PostgreSQL type, and the TypeScript type in which the driver returns its values. */
export type Column<Value> = {
  /** As PostgreSQL's `format_type` writes it. */
  readonly type: string;
  readonly nullable: boolean;
  /** The values of an enum, in their order. */
  readonly labels?: readonly string[];
  /** What `select` reads the column from. */
  readonly sql?: string;
  /** The value in every row, which is therefore not read. */
  readonly constant?: { value: unknown };
  /** The same column, read from this SQL expression. */
  from(sql: string): Column<Value>;
  /** The same column with this value in every row: it is no part of the statement. */
  always(value: Value & (string | number | boolean | null)): Column<Value>;
  /** Never set: it carries the TypeScript type. */
  readonly value?: () => Value;
};

export type Columns = Readonly<Record<string, Column<unknown>>>;

/** The row type that follows from a declaration of columns. */
export type RowOf<C> = { -readonly [Name in keyof C]: C[Name] extends Column<infer Value> ? Value : never };

type Description = Pick<Column<unknown>, "type" | "labels" | "sql" | "constant"> & { nullable?: boolean };

function column<Value>(description: Description): Column<Value> {
  const { nullable = false } = description;
  return {
    ...description,
    nullable,
    from: (sql) => column<Value>({ ...description, sql }),
    always: (value) => column<Value>({ ...description, constant: { value } }),
  };
}

export const text = column<string>({ type: "text" });
export const boolean = column<boolean>({ type: "boolean" });
export const integer = column<number>({ type: "integer" });
/** A string of digits, because a number cannot hold every value. */
export const bigint = column<string>({ type: "bigint" });
/** Exact, as a string: the type of a sum of bigints. */
export const numeric = column<string>({ type: "numeric" });
export const timestamp = column<Date>({ type: "timestamp with time zone" });
export const bytea = column<Buffer>({ type: "bytea" });
/** JSON of a form that the statement's own SQL builds. */
export const json = <Value>() => column<Value>({ type: "json" });
/** Stored JSON, of a form that its writers agree on. */
export const jsonb = <Value>() => column<Value>({ type: "jsonb" });
/** Text that the statement's SQL limits to these values. */
export const oneOf = <const Value extends string>(..._values: Value[]) => column<Value>({ type: "text" });

export function nullable<Value>({ type, labels, sql }: Column<Value>): Column<Value | null> {
  return column({ type, nullable: true, ...(labels ? { labels } : {}), ...(sql === undefined ? {} : { sql }) });
}

/** A column that the statement's SQL limits to some of its type's values. */
export function only<Value extends string, Some extends Value>(
  { type, labels = [] }: Column<Value>,
  ..._values: Some[]
): Column<Some> {
  return column({ type, labels });
}

/** Only of types whose arrays the driver parses, which excludes enums. */
export function arrayOf<Value extends string | number | Date>({ type }: Column<Value>): Column<Value[]> {
  return column({ type: `${type}[]` });
}

function enumeration<Value extends string>(type: string, values: Record<string, Value>): Column<Value> {
  return column({ type, labels: Object.values(values) });
}

export const activityKind = enumeration("activity_kind", enums.ActivityKind);
export const channelKind = enumeration("channel_kind", enums.ChannelKind);
export const contractState = enumeration("contract_state", enums.ContractState);
export const disputeResolution = enumeration("dispute_resolution", enums.DisputeResolution);
export const disputeState = enumeration("dispute_state", enums.DisputeState);
export const domainStatus = enumeration("domain_status", enums.DomainStatus);
export const filePurpose = enumeration("file_purpose", enums.FilePurpose);
export const fileState = enumeration("file_state", enums.FileState);
export const funding = enumeration("funding", enums.Funding);
export const healthStatus = enumeration("health_status", enums.HealthStatus);
export const identityState = enumeration("identity_state", enums.IdentityState);
export const openTo = enumeration("open_to", enums.OpenTo);
export const ownerRole = enumeration("owner_role", enums.OwnerRole);
export const paymentMode = enumeration("payment_mode", enums.PaymentMode);
export const payoutState = enumeration("payout_state", enums.PayoutState);
export const quoteState = enumeration("quote_state", enums.QuoteState);
export const reportState = enumeration("report_state", enums.ReportState);
export const reportSubject = enumeration("report_subject", enums.ReportSubject);
export const webhookDisabledReason = enumeration("webhook_disabled_reason", enums.WebhookDisabledReason);
export const risk = enumeration("risk", enums.Risk);
export const riskSource = enumeration("risk_source", enums.RiskSource);
export const room = enumeration("room", enums.Room);
export const settlementState = enumeration("settlement_state", enums.SettlementState);
export const taskState = enumeration("task_state", enums.TaskState);
export const transferState = enumeration("transfer_state", enums.TransferState);
export const visibility = enumeration("visibility", enums.Visibility);

/** Some of the columns, each with this value in every row. */
export function always<C extends Columns, Name extends keyof C & string>(
  columns: C,
  value: boolean | null,
  names: readonly Name[],
): Pick<C, Name> {
  return Object.fromEntries(names.map((name) => [name, columns[name]?.always(value as never)])) as Pick<C, Name>;
}

/** The SELECT list of columns that were all declared with `from`. */
export function select(columns: Columns): string {
  return Object.entries(columns)
    .filter(([, { constant }]) => !constant)
    .map(([name, { sql }]) => {
      if (sql === undefined) throw new Error(`The column ${name} has no SQL to select it from.`);
      return `${sql} AS "${name}"`;
    })
    .join(", ");
}
