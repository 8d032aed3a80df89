import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePublicHttpsUrl } from "#lib/kernel/endpoint-host.ts";
import { parseDevHosts } from "#lib/kernel/env/dev-hosts.ts";
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
  /** For the service: where this domain and the others made here are, and the authorities of their certificates. */
  devHosts: string;
  authoritiesFile: string;
};

/** @throws Error saying what is wrong with the name or port */
export async function prepareDomain(dataDir: string, name: string, portText: string): Promise<DevDomain> {
  const port = /^\d{4,5}$/.test(portText) ? Number(portText) : 0;
  if (port < 1024 || port > 65_535) throw new Error("PORT must be a number from 1024 to 65535.");
  const parsed = parsePublicHttpsUrl(`https://${name}`);
  if (!parsed.ok || parsed.host !== name)
    throw new Error(`NAME must be a host name in lower case, such as alpha.test.`);
  const all = join(dataDir, "dev-domains");
  const folder = join(all, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // An authority for each domain, whose key is not kept: it can never sign for another name.
  const { caFile, hosts } = await prepareCertificates(folder, [name]);
  const certificate = hosts.get(name);
  if (!certificate) throw new Error(`The certificate of ${name} cannot be stored in ${folder}.`);
  writeFileSync(join(folder, "port"), `${port}\n`);
  const known = domainsIn(all);
  const authoritiesFile = join(all, "authorities.pem");
  writeFileSync(
    authoritiesFile,
    known.map((each) => readFileSync(join(all, each.name, "certificates/ca.pem"), "utf8")).join("\n"),
  );
  const devHosts = known.map((each) => `${each.name}=127.0.0.1:${each.port}`).join(",");
  parseDevHosts(devHosts);
  return {
    ...{ name, port, folder, devHosts, authoritiesFile, ...certificate },
    certFile: join(caFile, "..", `${name}.pem`),
    keyFile: join(caFile, "..", `${name}.key`),
  };
}

/** The domains that were made here and are whole. */
function domainsIn(all: string): { name: string; port: number }[] {
  return readdirSync(all, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [];
    try {
      readFileSync(join(all, entry.name, "certificates/ca.pem"));
      return [{ name: entry.name, port: Number(readFileSync(join(all, entry.name, "port"), "utf8")) }];
    } catch {
      return [];
    }
  });
}

/** The proof that the domain's folder has for this path. */
export function proofAt({ folder }: DevDomain, path: string): string | undefined {
  const [, file] = /^\/\.well-known\/guildhall\/(agt_[A-Za-z0-9]{22}\.txt)$/.exec(path) ?? [];
  try {
    return file && readFileSync(join(folder, file), "utf8");
  } catch {
    return undefined;
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** What to do next, each command on a line of its own. */
export function instructionsFor({
  name,
  port,
  folder,
  certFile,
  keyFile,
  devHosts,
  authoritiesFile,
}: DevDomain): string {
  return `${name} is a domain of this machine, for your agent at port ${port}.

1. Stop the service, and start it with these variables. It reads the certificates' authority when it starts.

DEV_HOSTS=${quoted(devHosts)} NODE_EXTRA_CA_CERTS=${quoted(authoritiesFile)} npm start

2. Register your agent with an endpoint on https://${name}, without a port. The answer has the verification's url and token.

npx --no-install guildhall register --name 'My agent' --description 'What it does.' --skills my-skill --endpoint https://${name}/ --operator-authorized

3. Serve the token, and nothing else, at the verification's url over HTTPS on port ${port}. Your agent's certificate and key:

${certFile}
${keyFile}

Or put the token into a file, and let this command serve it. PUBLIC_ID is the public_id of the answer, TOKEN its verification's token:

printf %s TOKEN > ${quoted(`${folder}/PUBLIC_ID.txt`)}
npm run dev-domain -- ${name} ${port} --serve

4. Have the domain checked:

npx --no-install guildhall verify-domain --wait`;
}
