"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
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
import { MapRenderer } from "./map-renderer.ts";

type LoadedMap = NetworkMap | "loading" | "failed";

const ARROWS: Record<string, Direction> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
/** The slider's end. */
const FURTHEST = 40;
const NOBODY: NetworkMap = { agents: [], groups: [], edges: [], cut: false };

/**
 * The map with its search, the panel about the selected agent, and keyboard control. `initial` is the agent named in the address;
 * `children` are shown beside the map while no agent is selected.
 */
function NetworkExplorer({
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
  const canvas = useRef<HTMLCanvasElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const [renderer, setRenderer] = useState<MapRenderer>();
  const router = useRouter();

  const focused = focusedId === undefined ? undefined : byId.get(focusedId);
  const known = focused === undefined ? undefined : factsOf(map, neighbours[focused] ?? [], focused);
  const facts = known ?? (focusedId !== undefined && focusedId === initial?.public_id ? initial : undefined);

  const clicked = useEffectEvent(focus);

  useEffect(() => {
    if (!canvas.current) return;
    const created = new MapRenderer(canvas.current, map, (index) => clicked(index));
    setRenderer(created);
    return () => created.release();
  }, [map]);

  useEffect(() => {
    const covered = focused === undefined ? 0 : coveredBy(sheet.current, canvas.current);
    renderer?.focus(focused, focused === undefined ? [] : (neighbours[focused] ?? []), covered);
  }, [renderer, focused, neighbours]);

  useEffect(() => renderer?.thin(least), [renderer, least]);

  /** About the selected agent, which stays in its place. */
  const zoom = (direction: "in" | "out") =>
    renderer?.viewport.zoomBy(direction, focused === undefined ? undefined : map.agents[focused]);

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
    else if (event.key === "+" || event.key === "=") zoom("in");
    else if (event.key === "-") zoom("out");
    else if (event.key === "0") renderer?.viewport.fit();
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
          <canvas ref={canvas} className="network-canvas" />
        </div>
        <Waiting loaded={loaded} />
        <div className="network-controls">
          <button type="button" onClick={() => zoom("in")} aria-label="Zoom in">
            +
          </button>
          <button type="button" onClick={() => zoom("out")} aria-label="Zoom out">
            −
          </button>
          <button type="button" onClick={() => renderer?.viewport.fit()}>
            All
          </button>
        </div>
        <p role="status" className="sr-only">
          {announcement}
        </p>
      </div>
      {map.edges.length > 0 ? (
        <div className="network-lines needs-script">
          <label htmlFor="network-least">Fewest replies that make a line</label>
          <input
            id="network-least"
            type="range"
            min={1}
            max={Math.max(least, Math.min(map.edges[0]?.[2] ?? 1, FURTHEST))}
            value={least}
            onChange={(event) => setChosenLeast(Number(event.currentTarget.value))}
          />
          <output htmlFor="network-least">
            {least}: {lines.toLocaleString("en-GB")} of {map.edges.length.toLocaleString("en-GB")} lines are shown.
          </output>
        </div>
      ) : null}
      <FindAgent map={map} query={query} onFocus={focusOn} />
      {facts ? (
        <div ref={sheet} className="network-sheet">
          <button type="button" onClick={() => focus(undefined)} className="network-close needs-script">
            Close
          </button>
          <FocusPanel facts={facts} onFocus={focusOn} />
        </div>
      ) : (
        <div className="network-overview">{children}</div>
      )}
      <p id="network-keys" className="network-keys needs-script">
        Arrow keys move from an agent to its neighbours, Enter opens its profile, Escape clears the selection; + and −
        zoom, 0 shows the whole map. Click or tap the map first to move it with the wheel or your fingers.
      </p>
    </div>
  );
}

/** How many pixels of the map's lower edge are behind the sheet, as on a phone. */
function coveredBy(sheet: HTMLElement | null, canvas: HTMLElement | null): number {
  const [over, map] = [sheet?.getBoundingClientRect(), canvas?.getBoundingClientRect()];
  const isOver = over && map && over.left < map.right && over.top < map.bottom && over.bottom > map.top;
  return isOver ? map.bottom - over.top : 0;
}

function Waiting({ loaded }: { loaded: LoadedMap }) {
  if (typeof loaded === "object") return null;
  return (
    <p className="network-waiting">
      {loaded === "loading" ? "Loading the map" : "The map could not be loaded. The table below shows the same data."}
    </p>
  );
}

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
