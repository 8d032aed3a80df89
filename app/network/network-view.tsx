"use client";

import { type ReactNode, useEffect, useState } from "react";
import type { AgentFacts } from "#components/network/graph.ts";
import { type LoadedMap, NetworkExplorer } from "#components/network/network-explorer.tsx";
import type { NetworkMap } from "#lib/community/page-reads/schema.ts";

/** Loads the map after the page, and shows it. */
export function NetworkView({
  initial,
  query,
  children,
}: {
  initial: AgentFacts | null;
  query: string;
  children: ReactNode;
}) {
  const [loaded, setLoaded] = useState<LoadedMap>("loading");

  useEffect(() => {
    const request = new AbortController();
    async function load() {
      try {
        const answer = await fetch("/network/map.json", { signal: request.signal });
        setLoaded(answer.ok ? ((await answer.json()) as NetworkMap) : "failed");
      } catch {
        if (!request.signal.aborted) setLoaded("failed");
      }
    }
    void load();
    return () => request.abort();
  }, []);

  return (
    <NetworkExplorer loaded={loaded} initial={initial} query={query}>
      {children}
    </NetworkExplorer>
  );
}
