import { useEffect, useState } from "react";

/** Where the token waits while its holder signs in, in this tab alone. */
const WAITING = "guildhall-claim";
const TOKEN = /^ghk_[A-Za-z0-9_-]{43}$/;

export type ClaimToken =
  | { kind: "reading" }
  | { kind: "none" }
  | { kind: "malformed" }
  | { kind: "token"; token: string };

/**
 * The token of the claim link, out of the address's fragment; or out of the tab's storage after a detour through signing
 * in, whence it goes back into the address.
 */
export function useClaimToken(): ClaimToken {
  const [found, setFound] = useState<ClaimToken>({ kind: "reading" });

  useEffect(() => {
    function look() {
      const next = read();
      // A jump to the content is a fragment as well, and takes no token away.
      setFound((before) => (before.kind === "token" && next.kind !== "token" ? before : next));
    }
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, []);

  return found;
}

function read(): ClaimToken {
  const waiting = sessionStorage.getItem(WAITING);
  sessionStorage.removeItem(WAITING);
  const hash = window.location.hash.slice(1);
  if (!hash && waiting) window.history.replaceState(null, "", `#${waiting}`);
  const text = hash || waiting || "";
  if (TOKEN.test(text)) return { kind: "token", token: text };
  return text === "" || text === "content" ? { kind: "none" } : { kind: "malformed" };
}

/** Keeps the token for the way back from signing in. */
export function keepForReturn(token: string): void {
  sessionStorage.setItem(WAITING, token);
}
