import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "../../examples/demo/certificate-authority.ts";
import { runService, type Service } from "./run.ts";

export type Proofs = {
  /** For DEV_HOSTS: every host at the address where it answers. */
  devHosts: string;
  /** For NODE_EXTRA_CA_CERTS: the authority that vouches for the hosts. */
  authorityFile: string;
  /** Serves the proof of an identity, as its operator would. */
  publish(verification: { url: string; token: string }): void;
  close(): Promise<void>;
};

/** A web server for all `hosts`, with certificates that the service can check. */
async function serveProofs(hosts: readonly string[]): Promise<Proofs> {
  const authority = await createAuthority();
  const { certPem, keyPem } = await authority.issue([...hosts]);
  const served = new Map<string, string>();
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
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
