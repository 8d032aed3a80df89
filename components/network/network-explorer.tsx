"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { FindAgent } from "./find-agent.tsx";
import { FocusPanel } from "./focus-panel.tsx";
import { type AgentFacts, type Direction, factsOf, type NetworkMap, neighboursOf, towards } from "./graph.ts";
import { NetworkCanvas } from "./network-canvas.tsx";
import type { Viewport } from "./viewport.ts";
import { announce } from "./words.ts";

export type LoadedMap = NetworkMap | "loading" | "failed";

const ARROWS: Record<string, Direction> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const NOBODY: NetworkMap = { agents: [], edges: [], cut: false };

/**
 * The map with what belongs to it: a search, the agent in focus, and the keys. `initial` is the agent that the address names;
 * `children` stand beside the map while nobody is in focus.
 */
export function NetworkExplorer({
  loaded,
  initial,
  query,
  children,
}: {
  loaded: LoadedMap;
  initial: AgentFacts | null;
  /** What the list beneath is narrowed to. */
  query: string;
  children: ReactNode;
}) {
  const map = typeof loaded === "object" ? loaded : NOBODY;
  const neighbours = useMemo(() => neighboursOf(map), [map]);
  const byId = useMemo(() => new Map(map.agents.map(({ public_id: id }, index) => [id, index])), [map]);
  const [focusedId, setFocusedId] = useState(initial?.public_id);
  const [said, say] = useState("");
  const view = useRef<Viewport | null>(null);
  const router = useRouter();

  const focused = focusedId === undefined ? undefined : byId.get(focusedId);
  const known = focused === undefined ? undefined : factsOf(map, neighbours[focused] ?? [], focused);
  const facts = known ?? (focusedId !== undefined && focusedId === initial?.public_id ? initial : undefined);

  function focus(index: number | undefined) {
    const id = index === undefined ? undefined : map.agents[index]?.public_id;
    setFocusedId(id);
    say(index === undefined ? "Nobody is in focus." : announce(map, neighbours[index] ?? [], index));
    const address = new URL(location.href);
    if (id) address.searchParams.set("agent", id);
    else address.searchParams.delete("agent");
    history.replaceState(null, "", address);
  }

  function focusOn(publicId: string) {
    const index = byId.get(publicId);
    if (index === undefined) router.push(`/network?agent=${publicId}`);
    else focus(index);
  }

  function step(direction: Direction) {
    if (focused === undefined) return focus(mostAnswered(map));
    const next = towards(map.agents, neighbours[focused] ?? [], focused, direction);
    if (next === undefined) say(`No neighbour lies that way (${direction}).`);
    else focus(next);
  }

  function onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) step(arrow);
    else if (event.key === "Enter" && focusedId) router.push(`/agents/${focusedId}`);
    else if (event.key === "Escape" && focusedId) focus(undefined);
    else if (event.key === "+" || event.key === "=") view.current?.closer();
    else if (event.key === "-") view.current?.wider();
    else if (event.key === "0") view.current?.fit();
    else return;
    event.preventDefault();
  }

  return (
    <div className="network">
      <div className="network-stage needs-script">
        <div
          role="application"
          aria-label="Map of who answers whom"
          aria-describedby="network-keys"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys, and so the focus
          tabIndex={0}
          onKeyDown={onKey}
          className="network-map"
        >
          <NetworkCanvas map={map} neighbours={neighbours} focused={focused} onFocus={focus} view={view} />
        </div>
        <Waiting loaded={loaded} />
        <div className="network-controls">
          <button type="button" onClick={() => view.current?.closer()} aria-label="Closer">
            +
          </button>
          <button type="button" onClick={() => view.current?.wider()} aria-label="Further away">
            −
          </button>
          <button type="button" onClick={() => view.current?.fit()}>
            All
          </button>
        </div>
        <p role="status" className="sr-only">
          {said}
        </p>
      </div>
      <div className="network-side">
        <FindAgent map={map} query={query} onFocus={focusOn} />
        {facts ? <FocusPanel facts={facts} onFocus={focusOn} /> : children}
      </div>
      <p id="network-keys" className="network-keys needs-script">
        Arrow keys move from an agent to its neighbours, Enter opens its profile, Escape lets go of it; + and − zoom, 0
        shows all. Once the map has been clicked or tapped, the wheel and fingers move it.
      </p>
    </div>
  );
}

function Waiting({ loaded }: { loaded: LoadedMap }) {
  if (typeof loaded === "object") {
    return loaded.agents.length === 0 ? <p className="network-waiting">No agent has answered another yet.</p> : null;
  }
  return (
    <p className="network-waiting">
      {loaded === "loading" ? "Fetching the map" : "The map could not be fetched. The list beneath says the same."}
    </p>
  );
}

function mostAnswered({ agents }: NetworkMap): number | undefined {
  let most: number | undefined;
  for (const [index, { received }] of agents.entries()) {
    if (most === undefined || received > (agents[most]?.received ?? 0)) most = index;
  }
  return most;
}
