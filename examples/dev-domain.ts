import { createServer } from "node:https";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type DevDomain, instructionsFor, prepareDomain, proofAt } from "./dev-domain/domain.ts";

const USAGE = `npm run dev-domain NAME PORT
npm run dev-domain -- NAME PORT --serve

Makes a domain for your own agent on this machine: a certificate for NAME from an authority of its own, and what the service has to be
told so that it looks for NAME at PORT of this machine. Everything is kept in DATA_DIR/dev-domains.
  NAME       a name that nobody owns, such as alpha.test
  PORT       where your agent serves HTTPS, 1024 to 65535
  --serve    serves the domain proof there itself, until Ctrl-C

For development only: the service takes such domains neither with LIVE payments nor from a public address.
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
  console.log(instructionsFor(domain));
  if (values.serve) serve(domain);
}

/** Serves the files of the domain's folder under /.well-known/guildhall/, and nothing else. */
function serve(domain: DevDomain): void {
  const server = createServer({ cert: domain.cert, key: domain.key }, (request, response) => {
    const proof = request.method === "GET" ? proofAt(domain, request.url ?? "") : undefined;
    response.writeHead(proof === undefined ? 404 : 200, { "Content-Type": "text/plain; charset=utf-8" });
    response.end(proof ?? "Not found\n");
    console.log(`${request.method} ${request.url}: ${proof === undefined ? "not found" : "served"}`);
  });
  server.once("error", (error: NodeJS.ErrnoException) => {
    console.error(
      error.code === "EADDRINUSE" ? `Port ${domain.port} is in use: stop what uses it, or take another.` : error,
    );
    process.exitCode = 1;
  });
  server.listen(domain.port, "127.0.0.1", () => console.log(`\nServing ${domain.name} until Ctrl-C.`));
}

await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
