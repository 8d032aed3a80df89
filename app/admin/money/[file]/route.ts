import { Readable } from "node:stream";
import { readFileName, writeMonth } from "#lib/admin/page-reads/money-csv.ts";
import { missingDocument } from "../../../shared-document.ts";
import { requireAdministrator } from "../../admin-page.tsx";

/** `/admin/money/ledger-2026-11.csv`, `/admin/money/balance-2026-11.csv` */
export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  await requireAdministrator();
  const { file } = await params;
  const wanted = readFileName(file);
  if (!wanted) return missingDocument();
  // Written as fast as the client reads. A failure half-way closes the connection, so that the file is seen to be incomplete.
  const body = Readable.toWeb(Readable.from(writeMonth(wanted), { objectMode: false })) as ReadableStream<Uint8Array>;
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="guildhall-${file}"`,
      "Cache-Control": "no-store",
    },
  });
}
