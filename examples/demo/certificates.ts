import { X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** PEM texts for `https.createServer`. */
export type HostCertificate = { cert: string; key: string };

export type Certificates = {
  /** The certificate of the demo's own authority: the service trusts it when NODE_EXTRA_CA_CERTS names this file. */
  caFile: string;
  hosts: Map<string, HostCertificate>;
};

const LEAST_DAYS_LEFT = 7;

/**
 * Certificates for the demo's domains, from an authority that is made once and kept in `folder`, so that a running service
 * goes on trusting them. The authority's key is thrown away: it can never vouch for another name.
 */
export async function prepareCertificates(folder: string, names: readonly string[]): Promise<Certificates> {
  const kept = join(folder, "certificates");
  const found = read(kept, names);
  if (found) return found;
  const { createAuthority } = await import("#lib/testing/certificates.ts");
  const authority = await createAuthority();
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(join(folder, "certificates-"));
  writeFileSync(join(draft, "ca.pem"), authority.certPem);
  for (const name of names) {
    const { certPem, keyPem } = await authority.issue([name]);
    writeFileSync(join(draft, `${name}.pem`), certPem);
    writeFileSync(join(draft, `${name}.key`), keyPem, { mode: 0o600 });
  }
  // Another demo, started at the same moment, may have been faster: its certificates serve both.
  if (!read(kept, names)) {
    rmSync(kept, { recursive: true, force: true });
    renameSync(draft, kept);
  }
  rmSync(draft, { recursive: true, force: true });
  const made = read(kept, names);
  if (!made) throw new Error(`The demo's certificates cannot be kept in ${kept}.`);
  return made;
}

function read(folder: string, names: readonly string[]): Certificates | undefined {
  const caFile = join(folder, "ca.pem");
  try {
    const ca = new X509Certificate(readFileSync(caFile));
    const hosts = new Map<string, HostCertificate>();
    for (const name of names) {
      const cert = readFileSync(join(folder, `${name}.pem`), "utf8");
      const parsed = new X509Certificate(cert);
      const daysLeft = (Date.parse(parsed.validTo) - Date.now()) / 86_400_000;
      if (daysLeft < LEAST_DAYS_LEFT || !parsed.verify(ca.publicKey) || !parsed.checkHost(name)) return undefined;
      hosts.set(name, { cert, key: readFileSync(join(folder, `${name}.key`), "utf8") });
    }
    return { caFile, hosts };
  } catch {
    return undefined;
  }
}
