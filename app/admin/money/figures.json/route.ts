import { readMoney } from "#lib/admin/page-reads/money.ts";
import { requireAdministrator } from "../../admin-page.tsx";

/** The figures of the page as JSON. Amounts are in pence. */
export async function GET(): Promise<Response> {
  const { clock } = await requireAdministrator();
  return Response.json(
    { ok: true, content_trust: "untrusted", money: snakeCased(await readMoney(clock.now())) },
    { headers: { "Cache-Control": "no-store" } },
  );
}

/** `pendingPence` → `pending_pence`, at every depth. */
function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(each),
    ]),
  );
}
