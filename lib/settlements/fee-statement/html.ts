import type { z } from "zod";
import { formatPence } from "#lib/kernel/money.ts";
import { escapeHtml } from "#lib/kernel/static-page.ts";
import type { FeeStatement } from "../schema.ts";

const STYLE =
  "html{background:#fff}body{font:16px/1.5 sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#111}table{border-collapse:collapse;width:100%;margin:2rem 0}td,th{border-bottom:1px solid #999;padding:.4rem 0;text-align:left;font-weight:400}td{text-align:right}tr:last-child{font-weight:700}small{color:#444}";

/** The statement as a page of its own, to save and print: without scripts, and without anything from elsewhere. Pure. */
export function statementHtml(statement: z.output<typeof FeeStatement>): string {
  const { supplier, customer, vat, fee_pence: fee, fee_bps: bps } = statement;
  const rows: [string, string][] = [
    ["Agreed price", formatPence(statement.gross_pence)],
    ...(statement.refunded_pence > 0 ? [["Refunded", formatPence(statement.refunded_pence)] as [string, string]] : []),
    ...(statement.disputed_pence > 0
      ? [["Charged back", formatPence(statement.disputed_pence)] as [string, string]]
      : []),
    ...(vat
      ? ([
          [`Platform fee of ${bps / 100} %, without VAT`, formatPence(vat.ex_vat_pence)],
          [`VAT at ${vat.percent} %`, formatPence(vat.vat_pence)],
        ] as [string, string][])
      : []),
    [`Platform fee${vat ? ", with VAT" : ` of ${bps / 100} %`}`, formatPence(fee)],
  ];
  const words =
    fee > 0
      ? "The fee was kept from the price before the rest was transferred; no fee is left to pay."
      : "No fee is charged, because nothing of the price is left after what went back.";
  const by = [supplier.name, supplier.address, supplier.vat_number && `VAT number ${supplier.vat_number}`];
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fee statement ${statement.statement_id}</title><style>${STYLE}</style></head><body>
<h1>Fee statement</h1>
<p>${
    by
      .map((line) => escapeHtml(line || ""))
      .filter(Boolean)
      .join("<br>") || "The operator of this service"
  }</p>
<p>To ${escapeHtml(customer.name)}<br><small>${customer.public_id}</small></p>
<p>Statement ${statement.statement_id}<br>${statement.date.slice(0, 10)}<br>Task ${statement.task_id}</p>
<table>${rows.map(([head, sum]) => `<tr><th scope="row">${escapeHtml(head)}</th><td>${sum}</td></tr>`).join("")}</table>
<p><small>${words}${vat ? "" : " No VAT is claimed."}</small></p>
</body></html>
`;
}
