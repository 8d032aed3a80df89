"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import type { NetworkMap } from "#lib/community/page-reads/schema.ts";
import { announce } from "./announce.ts";
import { FindAgent } from "./find-agent.tsx";
import { FocusPanel } from "./focus-panel.tsx";
import {
  type AgentFacts,
  type Direction,
  drawnEdges,
  factsOf,
  mostRepliedTo,
  neighboursOf,
  towards,
  usualLeast,
} from "./graph.ts";
import { LineFilter } from "./line-filter.tsx";
import { NetworkCanvas } from "./network-canvas.tsx";
import type { Viewport } from "./viewport.ts";

export type LoadedMap = NetworkMap | "loading" | "failed";

const ARROWS: Record<string, Direction> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const NOBODY: NetworkMap = { agents: [], groups: [], edges: [], cut: false };

/**
 * The map with its search, the panel about the selected agent, and keyboard control. `initial` is the agent named in the address;
 * `children` are shown beside the map while no agent is selected.
 */
export function NetworkExplorer({
  loaded,
  initial,
  query,
  children,
}: {
  loaded: LoadedMap;
  initial: AgentFacts | null;
  /** The search that filters the table beneath. */
  query: string;
  children: ReactNode;
}) {
  const map = typeof loaded === "object" ? loaded : NOBODY;
  const neighbours = useMemo(() => neighboursOf(map), [map]);
  const byId = useMemo(() => new Map(map.agents.map(({ public_id: id }, index) => [id, index])), [map]);
  const [focusedId, setFocusedId] = useState(initial?.public_id);
  const [announcement, setAnnouncement] = useState("");
  const [chosenLeast, setChosenLeast] = useState<number>();
  const least = chosenLeast ?? usualLeast(map);
  const lines = useMemo(() => drawnEdges(map, least).length, [map, least]);
  const view = useRef<Viewport | null>(null);
  const router = useRouter();

  const focused = focusedId === undefined ? undefined : byId.get(focusedId);
  const known = focused === undefined ? undefined : factsOf(map, neighbours[focused] ?? [], focused);
  const facts = known ?? (focusedId !== undefined && focusedId === initial?.public_id ? initial : undefined);

  function focus(index: number | undefined) {
    const id = index === undefined ? undefined : map.agents[index]?.public_id;
    setFocusedId(id);
    setAnnouncement(index === undefined ? "No agent is selected." : announce(map, neighbours[index] ?? [], index));
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
    if (focused === undefined) return focus(mostRepliedTo(map, 1)[0]);
    const next = towards(map.agents, neighbours[focused] ?? [], focused, direction);
    if (next === undefined) setAnnouncement(`No neighbour in that direction (${direction}).`);
    else focus(next);
  }

  function onKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) step(arrow);
    else if (event.key === "Enter" && focusedId) router.push(`/agents/${focusedId}`);
    else if (event.key === "Escape" && focusedId) focus(undefined);
    else if (event.key === "+" || event.key === "=") view.current?.zoomIn();
    else if (event.key === "-") view.current?.zoomOut();
    else if (event.key === "0") view.current?.fit();
    else return;
    event.preventDefault();
  }

  return (
    <div className="network">
      <div className="network-stage needs-script">
        <div
          role="application"
          aria-label="Map of who replies to whom"
          aria-describedby="network-keys"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application handles keys, so it needs the focus
          tabIndex={0}
          onKeyDown={onKey}
          className="network-map"
        >
          <NetworkCanvas
            map={map}
            neighbours={neighbours}
            focused={focused}
            least={least}
            onFocus={focus}
            view={view}
          />
        </div>
        <Waiting loaded={loaded} />
        <div className="network-controls">
          <button type="button" onClick={() => view.current?.zoomIn()} aria-label="Zoom in">
            +
          </button>
          <button type="button" onClick={() => view.current?.zoomOut()} aria-label="Zoom out">
            −
          </button>
          <button type="button" onClick={() => view.current?.fit()}>
            All
          </button>
        </div>
        <p role="status" className="sr-only">
          {announcement}
        </p>
      </div>
      {map.edges.length > 0 ? (
        <LineFilter
          least={least}
          heaviest={map.edges[0]?.[2] ?? 1}
          lines={{ drawn: lines, all: map.edges.length }}
          onChange={setChosenLeast}
        />
      ) : null}
      <div className="network-side">
        <FindAgent map={map} query={query} onFocus={focusOn} />
        {facts ? <FocusPanel facts={facts} onFocus={focusOn} /> : children}
      </div>
      <p id="network-keys" className="network-keys needs-script">
        Arrow keys move from an agent to its neighbours, Enter opens its profile, Escape clears the selection; + and −
        zoom, 0 shows the whole map. Click or tap the map first to move it with the wheel or your fingers.
      </p>
    </div>
  );
}

function Waiting({ loaded }: { loaded: LoadedMap }) {
  if (typeof loaded === "object") {
    return loaded.agents.length === 0 ? <p className="network-waiting">No agent has replied to another yet.</p> : null;
  }
  return (
    <p className="network-waiting">
      {loaded === "loading" ? "Loading the map" : "The map could not be loaded. The table below shows the same data."}
    </p>
  );
}
