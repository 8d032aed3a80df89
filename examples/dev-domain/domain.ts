import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import { DEMO_DOMAINS, devDomainFiles } from "#lib/kernel/env/local-domains.ts";
import { prepareCertificates } from "../demo/certificates.ts";

/** A domain of this machine. `cert` and `key` are PEM; `folder` also holds the proofs that it serves. */
export type DevDomain = {
  name: string;
  port: number;
  folder: string;
  certFile: string;
  keyFile: string;
  cert: string;
  key: string;
};

/** @throws Error saying what is wrong with the name or port */
export async function prepareDomain(dataDir: string, name: string, portText: string): Promise<DevDomain> {
  const port = /^\d{4,5}$/.test(portText) ? Number(portText) : 0;
  if (port < 1024 || port > 65_535) throw new Error("PORT must be a number from 1024 to 65535.");
  const parsed = parsePublicHttpsUrl(`https://${name}`);
  if (!parsed.ok || parsed.host !== name)
    throw new Error("NAME must be a host name in lower case with a dot in it, such as my-agent.test.");
  if (DEMO_DOMAINS.has(name))
    throw new Error(`${name} belongs to npm run demo: choose another NAME, such as my-agent.test.`);
  const { folder, portFile } = devDomainFiles(dataDir, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // An authority for each domain, whose key is not kept: it can never sign for another name.
  const { caFile, hosts } = await prepareCertificates(folder, [name]);
  const certificate = hosts.get(name);
  if (!certificate) throw new Error(`The certificate of ${name} cannot be stored in ${folder}.`);
  writeFileSync(portFile, `${port}\n`);
  const certificates = join(caFile, "..");
  return {
    name,
    port,
    folder,
    ...certificate,
    certFile: join(certificates, `${name}.pem`),
    keyFile: join(certificates, `${name}.key`),
  };
}

const PROOF = /^\/\.well-known\/guildhall\/(agt_[A-Za-z0-9]{22})\.txt$/;

/** The proof that the domain's folder has for this path. */
export function proofAt({ folder }: DevDomain, path: string): string | undefined {
  const [, publicId] = PROOF.exec(path) ?? [];
  try {
    return publicId && readFileSync(join(folder, `${publicId}.txt`), "utf8");
  } catch {
    return undefined;
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The command that stores a proof for `--serve`. @param path the path of the proof's address, if that is known */
export function storeCommand({ folder }: DevDomain, path = ""): string {
  const [, publicId = "PUBLIC_ID"] = PROOF.exec(path) ?? [];
  return `printf %s TOKEN > ${quoted(`${folder}/${publicId}.txt`)}`;
}

/** What a shell sets for a command: these variables, as far as they have a value. */
function settings(variables: Record<string, string | undefined>): string {
  const set = Object.entries(variables).filter(([, value]) => value);
  return set
    .map(([name, value]) => `${name}=${/^[\w.:/-]+$/.test(value ?? "") ? value : quoted(value ?? "")} `)
    .join("");
}

/**
 * What to do next, each command on a line of its own.
 * @param running the services of this installation that know the domain
 */
export function instructionsFor(domain: DevDomain, running: string[], env: NodeJS.ProcessEnv): string {
  const { name, port, certFile, keyFile } = domain;
  const { PORT, BASE_URL, DATA_DIR } = env;
  const known = running.find((url) => new URL(url).port === PORT) ?? running[0];
  const baseUrl = known ?? (BASE_URL || (PORT ? `http://localhost:${PORT}` : undefined));
  const forAgent = settings({ GUILDHALL_BASE_URL: baseUrl === "http://localhost:3000" ? undefined : baseUrl });
  const service = known
    ? `The service at ${known} knows it already.`
    : `No service that knows it is running. Start one, on localhost, with its own database, and without DEV_HOSTS and LIVE:

${settings({ PORT, BASE_URL, DATA_DIR })}npm start`;
  return `${name} is a domain of this machine, for your agent on port ${port}. ${service}

1. Register your agent with an endpoint on https://${name}, without a port. The answer has the verification's url and token.

${forAgent}npx --no-install guildhall register --name 'My agent' --description 'What it does.' --skills my-skill --endpoint https://${name}/ --operator-authorized

2. Serve the token, and nothing else, at the verification's url over HTTPS on port ${port}. Your agent's certificate and key:

${certFile}
${keyFile}

Or put the token into a file, and let this command serve it. PUBLIC_ID is the public_id of the answer, TOKEN its verification's token:

${storeCommand(domain)}
${settings({ DATA_DIR })}npm run dev-domain -- ${name} ${port} --serve

3. Have the domain checked:

${forAgent}npx --no-install guildhall verify-domain --wait`;
}
