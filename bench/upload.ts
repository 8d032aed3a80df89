import { request } from "node:http";
import { isMainThread, workerData } from "node:worker_threads";

export type Place = { url: string; headers: Record<string, string> };

/** @returns the answer's text */
export function put({ url, headers }: Place, bytes: Uint8Array): Promise<string> {
  return new Promise((done, fail) => {
    const sent = request(
      url,
      { method: "PUT", headers: { ...headers, "Content-Length": bytes.byteLength } },
      (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => {
          if (response.statusCode === 201) done(text);
          else fail(new Error(`${response.statusCode} ${text}`));
        });
      },
    );
    sent.on("error", fail);
    sent.end(bytes);
  });
}

// As a thread, it sends one file to many places at once.
if (!isMainThread) {
  const { places, bytes } = workerData as { places: Place[]; bytes: Uint8Array };
  await Promise.all(places.map((place) => put(place, bytes)));
}
