import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

cryptoProvider.set(webcrypto as Crypto);

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;

/** A certificate and its private key (PKCS #8), both PEM, as `https.createServer({ cert, key })` takes them. */
export interface Certificate {
  certPem: string;
  keyPem: string;
}

interface Authority extends Certificate {
  /**
   * A server certificate for exactly these DNS names (`*.` wildcards allowed) or IP addresses. It runs from a day ago for a
   * year; `notAfter` in the past gives one that has expired.
   */
  issue(hosts: string[], options?: { notAfter?: Date }): Promise<Certificate>;
}

/**
 * Makes a certificate authority that exists only in memory, for tests and the demo. To trust it, pass
 * `certPem` to a prober as `ca: [certPem]`, or to another Node process as a file named by NODE_EXTRA_CA_CERTS, which Node reads
 * once, at its start.
 *
 * @example
 * const authority = await createAuthority();
 * const { certPem, keyPem } = await authority.issue(["alpha.test"]);
 * https.createServer({ cert: certPem, key: keyPem }, listener).listen(9443, "127.0.0.1");
 */
export async function createAuthority(): Promise<Authority> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=Guildhall development authority",
    serialNumber: randomSerial(),
    ...validity(),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });

  return {
    ...(await toPem(certificate, keys)),
    async issue(hosts, { notAfter } = {}) {
      const hostKeys = await generateKeys();
      const issued = await X509CertificateGenerator.create({
        subject: "CN=Guildhall development host",
        issuer: certificate.subject,
        serialNumber: randomSerial(),
        ...validity(notAfter),
        publicKey: hostKeys.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
          new SubjectAlternativeNameExtension(hosts.map(toGeneralName)),
          await AuthorityKeyIdentifierExtension.create(keys.publicKey),
        ],
      });
      return toPem(issued, hostKeys);
    },
  };
}

function toGeneralName(value: string): { type: "dns" | "ip"; value: string } {
  return { type: isIP(value) === 0 ? "dns" : "ip", value };
}

function generateKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
}

async function toPem(certificate: X509Certificate, { privateKey }: CryptoKeyPair): Promise<Certificate> {
  const key = await webcrypto.subtle.exportKey("pkcs8", privateKey);
  return { certPem: certificate.toString("pem"), keyPem: PemConverter.encode(key, "PRIVATE KEY") };
}

function validity(notAfter = new Date(Date.now() + 365 * DAY_MS)): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Math.min(Date.now(), notAfter.getTime()) - DAY_MS), notAfter };
}

// A positive number of 15 bytes, so that no two certificates of one authority ever share it.
function randomSerial(): string {
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(14))).toString("hex")}`;
}
