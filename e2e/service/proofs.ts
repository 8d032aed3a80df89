import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "#lib/testing/certificates.ts";

export type Proofs = {
  /** For DEV_HOSTS: every host at the address where it answers. */
  devHosts: string;
  /** For NODE_EXTRA_CA_CERTS: the authority that vouches for the hosts. */
  authorityFile: string;
  /** Serves the proof of an identity, as its operator would. */
  publish(verification: { url: string; token: string }): void;
  close(): Promise<void>;
};

/** A web server that stands for the operators of all `hosts`, with certificates that the service can check. */
export async function serveProofs(hosts: readonly string[]): Promise<Proofs> {
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
