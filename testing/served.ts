import type { AddressInfo } from "node:net";
import { apiListener } from "#lib/api/listener.ts";
import { listen } from "#lib/boot/front/address.ts";
import { closeHttp, createHttp } from "#lib/boot/front/http.ts";
import { forFile, type Prepare, startTestService } from "./client.ts";
import { configure } from "./configuration.ts";

/** Serves everything but pages on a free port of this machine, under the base URL that it then has. */
export async function serveHttp(): Promise<{ url: string; close(): Promise<void> }> {
  const http = createHttp(apiListener(), (_request, response) => response.writeHead(404).end());
  await listen(http, { host: "127.0.0.1", port: 0 });
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  await configure({ BASE_URL: url });
  return { url, close: () => closeHttp(http, 0) };
}

/** The service for all tests of a file, served at `url`. */
export const servedService = (variables: Record<string, string> = {}, prepare?: Prepare) =>
  forFile(async () => {
    const service = await startTestService(variables);
    const { url, close } = await serveHttp();
    const stop = async () => {
      await close();
      await service.stop();
    };
    return { url, stop };
  }, prepare);
