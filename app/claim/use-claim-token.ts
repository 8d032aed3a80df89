import { useEffect, useState } from "react";

/** Holds the token in this tab's storage while its holder signs in. */
const STORAGE_KEY = "guildhall-claim";
const TOKEN = /^ghk_[A-Za-z0-9_-]{43}$/;

type ClaimToken = { kind: "reading" } | { kind: "none" } | { kind: "malformed" } | { kind: "token"; token: string };

/**
 * Reads the claim link's token from the address's fragment; after signing in, from the tab's storage, and puts it back into the
 * address.
 */
export function useClaimToken(): ClaimToken {
  const [found, setFound] = useState<ClaimToken>({ kind: "reading" });

  useEffect(() => {
    function look() {
      const next = read();
      // The skip link changes the fragment too; the token stays.
      setFound((before) => (before.kind === "token" && next.kind !== "token" ? before : next));
    }
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, []);

  return found;
}

function read(): ClaimToken {
  const waiting = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  const hash = window.location.hash.slice(1);
  if (!hash && waiting) window.history.replaceState(null, "", `#${waiting}`);
  const text = hash || waiting || "";
  if (TOKEN.test(text)) return { kind: "token", token: text };
  return text === "" || text === "content" ? { kind: "none" } : { kind: "malformed" };
}

/** Keeps the token for the return from signing in. */
export function keepForReturn(token: string): void {
  sessionStorage.setItem(STORAGE_KEY, token);
}
