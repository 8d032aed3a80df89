import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createAuthority } from "../../examples/demo/certificate-authority.ts";
import { runService, type Service } from "./run.ts";

export type Posted = { path: string; headers: IncomingHttpHeaders; body: string };

export type Proofs = {
  /** For DEV_HOSTS: every host at the address where it answers. */
  devHosts: string;
  /** For NODE_EXTRA_CA_CERTS: the authority that vouches for the hosts. */
  authorityFile: string;
  /** Serves the proof of an identity, as its operator would. */
  publish(verification: { url: string; token: string }): void;
  /** What was POSTed to any of the hosts: it is answered with 204. */
  posted: Posted[];
  close(): Promise<void>;
};

/** A web server for all `hosts`, with certificates that the service can check. */
async function serveProofs(hosts: readonly string[]): Promise<Proofs> {
  const authority = await createAuthority();
  const { certPem, keyPem } = await authority.issue([...hosts]);
  const served = new Map<string, string>();
  const posted: Posted[] = [];
  const server = createServer({ cert: certPem, key: keyPem }, async (request, response) => {
    if (request.method === "POST") {
      posted.push({ path: request.url ?? "", headers: request.headers, body: await text(request) });
      response.writeHead(204).end();
      return;
    }
    const proof = served.get(`https://${request.headers.host?.split(":")[0]}${request.url}`);
    response.writeHead(proof ? 200 : 404, { "Content-Type": "text/plain" }).end(proof);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;

  const folder = mkdtempSync(join(tmpdir(), "guildhall-authority-"));
  const authorityFile = join(folder, "authority.pem");
  writeFileSync(authorityFile, authority.certPem);
  return {
    devHosts: hosts.map((host) => `${host}=127.0.0.1:${port}`).join(","),
    authorityFile,
    posted,
    publish: ({ url, token }) => void served.set(url, token),
    async close() {
      await new Promise((done) => server.close(done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A service and the web server that proves domains to it. */
export type Proved = { service: Service; proofs: Proofs; close(): Promise<void> };

/** Starts an empty service that can verify all `hosts`. */
export async function runProved(hosts: readonly string[], logLevel: "warn" | "debug"): Promise<Proved> {
  const proofs = await serveProofs(hosts);
  const service = await runService({
    DEV_HOSTS: proofs.devHosts,
    NODE_EXTRA_CA_CERTS: proofs.authorityFile,
    LOG_LEVEL: logLevel,
  }).catch(async (error: unknown) => {
    await proofs.close();
    throw error;
  });
  return {
    service,
    proofs,
    async close() {
      await service.stop();
      await proofs.close();
    },
  };
}
