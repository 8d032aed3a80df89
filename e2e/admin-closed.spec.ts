import type { APIRequestContext } from "playwright/test";
import { ADMIN_ROUTES, addressesOf } from "./admin.ts";
import { signUp } from "./owner.ts";
import { expect, test } from "./test.ts";

/** What differs between any two answers: the request's ID and Next's own, the nonce and the time. */
function comparable(text: string): string {
  return text
    .replaceAll(/nonce=\\"[^"]*\\"/g, 'nonce="X"')
    .replaceAll(/nonce-[A-Za-z0-9+/=]+/g, "nonce-X")
    .replaceAll(/nonce\\?":\\?"[A-Za-z0-9+/=]+/g, "nonce:X")
    .replaceAll(/nonce="[^"]*"/g, 'nonce="X"')
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

test("whoever is no administrator gets the very page that a visitor gets, and it is missing", async ({
  page,
  request: visitor,
  baseURL,
  administrator,
}) => {
  await signUp(page);
  const owner = page.request;
  const addresses = await addressesOf(baseURL, administrator);
  expect(addresses.length).toBe(ADMIN_ROUTES.length);
  const missing = addresses.map((address) => address.replace(/[^/]{24,}$/, "nothing"));
  for (const address of new Set([...addresses, ...missing, "/admin/nothing/of/the/kind", "/admin/tasks?state=open"])) {
    for (const headers of [{}, { RSC: "1" }] as Record<string, string>[]) {
      // The parts of a page may come in another order, whoever asks: then it is asked for again.
      await expect(async () => {
        const asVisitor = await answerTo(visitor, address, headers);
        const asOwner = await answerTo(owner, address, headers);
        expect(asOwner.status, address).toBe(asVisitor.status);
        expect(asOwner.headers, address).toBe(asVisitor.headers);
        // Compared by a yes or no: a page is too long for a message.
        expect(asOwner.body === asVisitor.body, `${address}: the page differs`).toBe(true);
        if (!headers.RSC) expect(asVisitor.status, address).toBe(404);
        expect(/tide table|Who did what|Everybody who registered|Decide/.test(asVisitor.body), address).toBe(false);
      }).toPass();
    }
  }
});
