import type { APIRequestContext } from "playwright/test";
import { ADMIN_ROUTES, addressesOf } from "./admin.ts";
import { signUp } from "./owner.ts";
import { expect, test } from "./test.ts";

/** What differs between two answers of the same page: request ID, Next's IDs and with them the hashes and the compressed length, and time. */
function comparable(text: string): string {
  return text
    .replaceAll(/'sha256-[^']+'/g, "'sha256-X'")
    .replaceAll(/"content-length","\d+"/g, '"content-length","X"')
    .replaceAll(/"[\w-]{21}[vm]"/g, '"next_X"')
    .replaceAll(/req_[1-9A-HJ-NP-Za-km-z]{22}/g, "req_X");
}

async function answerTo(request: APIRequestContext, address: string, headers: Record<string, string> = {}) {
  const response = await request.get(address, { headers, maxRedirects: 0 });
  const kept = Object.entries(response.headers()).filter(([name]) => name !== "date");
  return {
    status: response.status(),
    headers: comparable(JSON.stringify(kept)),
    body: comparable(await response.text()),
  };
}

test("visitors and owners who are not administrators get the same answer for the administration as for any missing page", async ({
  page,
  client,
  request: visitor,
  administrator,
}) => {
  await signUp(page);
  const addresses = [...(await addressesOf(client, administrator)), "/admin/nothing/of/the/kind", "/admin/"];
  expect(addresses.length).toBe(ADMIN_ROUTES.length + 2);
  addresses.push("/admin/tasks?state=open", "/admin?x=%22", "/%61dmin", "/%61dmin/tasks");
  const ways: Record<string, string>[] = [{}, { RSC: "1" }, { RSC: "1", "Next-Router-Prefetch": "1" }];
  // Every address in one of these ways, and the console itself in all of them.
  for (const [reader, request] of [visitor, page.request].entries())
    for (const [at, address] of addresses.entries())
      for (const headers of ways.filter((_, way) => address === "/admin" || way === (at + reader) % ways.length)) {
        // Parts of a streamed page may arrive in another order; then the page is requested again.
        await expect(async () => {
          const asked = await answerTo(request, address, headers);
          const nowhere = await answerTo(
            request,
            address.replace("/admin", "/nowhere").replace("/%61dmin", "/%6eowhere"),
            headers,
          );
          // Both answers name the internal route of the not-found page.
          const named = (text: string) => text.replaceAll("nowhere", "admin").replaceAll("%6eowhere", "%61dmin");
          expect(asked.status, address).toBe(nowhere.status);
          expect(named(asked.headers), address).toBe(named(nowhere.headers));
          // Compared as a boolean: a whole page is too long for a failure message.
          expect(named(asked.body) === named(nowhere.body), `${address}: the page differs`).toBe(true);
          if (!headers.RSC && !address.endsWith("/")) expect(asked.status, address).toBe(404);
        }).toPass();
      }
});
