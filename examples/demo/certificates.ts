import { X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** PEM texts for `https.createServer`. */
export type HostCertificate = { cert: string; key: string };

export type Certificates = {
  /** File with the certificate of the demo's own authority. */
  caFile: string;
  hosts: Map<string, HostCertificate>;
};

const LEAST_DAYS_LEFT = 7;

/**
 * Certificates for the demo's domains. They are made once and stored in `folder`, the private keys readable by their owner only. The
 * private key of the authority that issues them is never stored, so it cannot issue one for any other name.
 */
export async function prepareCertificates(folder: string, names: readonly string[]): Promise<Certificates> {
  const stored = join(folder, "certificates");
  const found = read(stored, names);
  if (found) return found;
  const { createAuthority } = await import("./certificate-authority.ts");
  const authority = await createAuthority();
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(join(folder, "certificates-"));
  writeFileSync(join(draft, "ca.pem"), authority.certPem);
  for (const name of names) {
    const { certPem, keyPem } = await authority.issue([name]);
    writeFileSync(join(draft, `${name}.pem`), certPem);
    writeFileSync(join(draft, `${name}.key`), keyPem, { mode: 0o600 });
  }
  // If another demo was faster, both use its certificates.
  if (!read(stored, names)) {
    rmSync(stored, { recursive: true, force: true });
    renameSync(draft, stored);
  }
  rmSync(draft, { recursive: true, force: true });
  const made = read(stored, names);
  if (!made) throw new Error(`The demo's certificates cannot be stored in ${stored}.`);
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
