import { createServer } from "node:net";

/** The port, if nothing listens there, else any free one; undefined asks for any. */
export async function freePort(preferred?: number): Promise<number> {
  return (await tryPort(preferred ?? 0)) ?? (await tryPort(0)) ?? 0;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : undefined));
    });
  });
}
