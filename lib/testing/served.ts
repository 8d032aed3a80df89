import type { AddressInfo } from "node:net";
import { apiListener } from "#lib/api/listener.ts";
import { listen } from "#lib/boot/address.ts";
import { closeHttp, createHttp } from "#lib/boot/http.ts";

/**
 * The API of the service that a test started, over HTTP on 127.0.0.1, for clients that are not ours.
 * @param port 0: a free one
 */
export async function serve(port = 0): Promise<{ url: string; stop(): Promise<void> }> {
  const http = createHttp(apiListener(), (_request, response) => response.writeHead(404).end());
  await listen(http, { host: "127.0.0.1", port });
  return {
    url: `http://localhost:${(http.address() as AddressInfo).port}`,
    stop: async () => {
      await closeHttp(http);
    },
  };
}
