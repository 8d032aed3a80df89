import { createServer } from "node:https";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { announcedServices } from "#lib/kernel/env/local-domains.ts";
import { keepOthersFromWriting } from "#lib/kernel/files/umask.ts";
import { type DevDomain, instructionsFor, prepareDomain, proofAt, storeCommand } from "./dev-domain/domain.ts";

const USAGE = `npm run dev-domain NAME PORT
npm run dev-domain -- NAME PORT --serve

Makes a domain for your own agent on this machine, with a certificate from an authority of its own. The service that you started with
npm start looks for NAME at PORT of this machine from then on, without a restart. Everything is kept in DATA_DIR/dev-domains.
  NAME       a name that nobody owns, such as my-agent.test
  PORT       where your agent serves HTTPS, 1024 to 65535
  --serve    serves the domain's proofs there itself, until Ctrl-C

For development only: a service knows such domains with its own database, HOST and BASE_URL on localhost, TEST payments and no DEV_HOSTS.
Give this command the same DATA_DIR as the service, if you set one.
`;

const DATA_DIR = resolve(import.meta.dirname, "..", process.env.DATA_DIR || ".data");

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { serve: { type: "boolean" }, help: { type: "boolean" } },
  });
  const [name, port, ...others] = positionals;
  if (values.help || name === undefined || port === undefined || others.length > 0) {
    console[values.help ? "log" : "error"](USAGE);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const domain = await prepareDomain(DATA_DIR, name, port);
  if (values.serve) serve(domain);
  else console.log(instructionsFor(domain, announcedServices(DATA_DIR), process.env));
}

/** Serves the files of the domain's folder under /.well-known/guildhall/, and nothing else. */
function serve(domain: DevDomain): void {
  const { name, port } = domain;
  const server = createServer({ cert: domain.cert, key: domain.key }, (request, response) => {
    const { method, url = "" } = request;
    const proof = method === "GET" ? proofAt(domain, url) : undefined;
    response.writeHead(proof === undefined ? 404 : 200, { "Content-Type": "text/plain; charset=utf-8" });
    response.end(proof ?? "Not found\n");
    const missing = `not found. To store a proof there:\n\n${storeCommand(domain, url)}\n`;
    console.log(`${method} ${url}: ${proof === undefined ? missing : "served"}`);
  });
  server.once("error", (error: NodeJS.ErrnoException) => {
    console.error(error.code === "EADDRINUSE" ? `Port ${port} is in use: stop what uses it, or take another.` : error);
    process.exitCode = 1;
  });
  server.listen(port, "127.0.0.1", () =>
    console.log(`Serving ${name} on port ${port} until Ctrl-C. An agent's proof is stored with this command, where PUBLIC_ID is its
public_id and TOKEN the line to serve:

${storeCommand(domain)}
`),
  );
}

keepOthersFromWriting();
await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
