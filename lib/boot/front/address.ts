import { createServer, type Server } from "node:net";

type Address = { host: string; port: number };

/**
 * Checks early that the port can be used, and frees it again until the service can answer. A client that polls the address
 * finds either nothing or the whole service.
 * @throws Error that says what to do if the port is taken or forbidden, or if the address is not one of this machine
 */
export async function checkPort(address: Address): Promise<void> {
  const probe = createServer();
  await listen(probe, address);
  await new Promise((done) => probe.close(done));
}

/** @throws Error that says what to do if the port is taken or forbidden, or if the address is not one of this machine */
export function listen(server: Server, address: Address): Promise<void> {
  return new Promise((done, fail) => {
    const onError = (error: NodeJS.ErrnoException) => fail(explain(error, address));
    server.once("error", onError);
    server.listen(address, () => {
      server.off("error", onError);
      done();
    });
  });
}

function explain(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const free = port < 65_535 ? port + 1 : port - 1;
  if (error.code === "EADDRINUSE") {
    return new Error(
      `Port ${port} is in use by another program. Stop that program, or use another port (PORT=${free}).`,
    );
  }
  if (error.code === "EACCES") {
    return new Error(`Port ${port} cannot be opened by this user. Use a port above 1023 (PORT=3000).`);
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new Error(
      `HOST=${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of its addresses.`,
    );
  }
  return error;
}
