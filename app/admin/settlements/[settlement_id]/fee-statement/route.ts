import { readStatementPage } from "#lib/admin/page-reads/fee-statement.ts";
import { missingDocument } from "../../../../shared-document.ts";
import { requireAdministrator } from "../../../admin-page.tsx";

/** A file to print, not a page of the console. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ settlement_id: string }> },
): Promise<Response> {
  await requireAdministrator();
  const { settlement_id: id } = await params;
  const html = await readStatementPage(id);
  if (!html) return missingDocument();
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Disposition": `attachment; filename="fee-statement-${id}.html"`,
      "Cache-Control": "no-store",
    },
  });
}
