import { Money, type PaymentMode } from "#components/money/money.tsx";

const COLUMNS = [
  { head: "Gross", field: "gross_pence" },
  { head: "Fee", field: "fee_pence" },
  { head: "Net", field: "net_pence" },
] as const;

/** The heads of the three columns that `AmountCells` fills. */
export function AmountHeads() {
  return COLUMNS.map(({ head }) => (
    <th key={head} scope="col" className="figure">
      {head}
    </th>
  ));
}

/** What was agreed, what the platform keeps of it and what is left, in pence. The table says in which mode. */
export function AmountCells({
  amounts,
  mode,
}: {
  amounts: Record<(typeof COLUMNS)[number]["field"], number>;
  mode: PaymentMode;
}) {
  return COLUMNS.map(({ field }) => (
    <td key={field} className="figure">
      <Money pence={amounts[field]} mode={mode} quiet />
    </td>
  ));
}
