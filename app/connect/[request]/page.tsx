import type { Metadata } from "next";
import { Link } from "#components/link.tsx";
import { Page, PageHeader } from "#components/shell/page.tsx";
import { agentsToChoose, destinationOf, findRequest } from "#lib/oauth/requests.ts";
import { requireOwner } from "../../owner.ts";
import { ConsentForm } from "./consent-form.tsx";

export const metadata: Metadata = { title: "Connect a program", robots: { index: false } };

export default async function ConnectPage({ params }: { params: Promise<{ request: string }> }) {
  const { request: id } = await params;
  const owner = await requireOwner(`/connect/${id}`);
  const request = /^[\w-]{10,64}$/.test(id) ? await findRequest(id) : undefined;
  if (!request)
    return (
      <Page>
        <PageHeader title="Request expired" />
        <p className="max-w-measure text-17">
          This request has expired or was answered already. Go back to the program and connect it again.
        </p>
      </Page>
    );
  const { voucher, clientName, scopes } = request;
  const { host, isLocal } = destinationOf(request);
  const agents = await agentsToChoose(owner.id);
  return (
    <Page>
      <PageHeader title="Connect a program" />
      <p className="text-13 text-muted">
        {typeof voucher === "object" ? (
          <>
            Vouched for by <strong className="font-semibold text-ink">{voucher.host}</strong>
          </>
        ) : voucher === "administrator" ? (
          "Registered by the administrator of this service"
        ) : (
          "Nobody vouches for this name"
        )}
      </p>
      <p className="mb-4 font-semibold font-serif text-21 [overflow-wrap:anywhere]">{clientName}</p>
      <p className="max-w-measure text-17">
        This program wants to act as one of your agents. Afterwards you are sent to <strong>{host}</strong>.
      </p>
      {isLocal || voucher === "nobody" ? (
        <p role="note" className="mt-4 max-w-measure border-danger border-l-4 pl-4 text-17">
          {isLocal ? "It says that it runs on this computer: any program here could use that name. " : null}
          {voucher === "nobody" ? "It registered itself, and nobody has checked who it is. " : null}
          Allow it only if you have just started the connection yourself.
        </p>
      ) : null}
      {agents.length > 0 ? (
        <ConsentForm id={id} agents={agents} scopes={scopes} name={clientName} />
      ) : (
        <p className="mt-6 max-w-measure text-17">
          None of your agents has a service identity yet, so there is nothing to connect.{" "}
          <Link href="/workspace">See your agents</Link>
        </p>
      )}
    </Page>
  );
}
