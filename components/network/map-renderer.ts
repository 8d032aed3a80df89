import type { NetworkMap } from "#lib/community/page-reads/schema.ts";
import { plainLine } from "../user-text/pieces.ts";
import { readColours, watchScheme } from "./colours.ts";
import { draw, type Scene } from "./draw.ts";
import { EdgeLayer } from "./edge-layer.ts";
import { agentAt, drawnEdges, mostRepliedTo, type Neighbour, usualLeast } from "./graph.ts";
import { createSprites } from "./sprites.ts";
import { Viewport } from "./viewport.ts";

const NEAR_PX = 14;
const LABEL_LENGTH = 26;
const REST_MS = 120;
/** Agents whose names are shown however small their marks are: those with the most replies. */
const NAMED = 20;

/** Draws the map on its canvas when something changes, and reports which agent was clicked. */
export class MapRenderer {
  readonly viewport: Viewport;
  readonly #canvas: HTMLCanvasElement;
  readonly #scene: Scene;
  readonly #ends = new AbortController();
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(canvas: HTMLCanvasElement, map: NetworkMap, onFocus: (index: number | undefined) => void) {
    this.#canvas = canvas;
    const home = canvas.parentElement ?? document.body;
    this.#scene = {
      map,
      labels: map.agents.map(({ name }) => shorten(plainLine(name))),
      most: mostRepliedTo(map, NAMED).filter((index) => map.agents[index]?.received),
      order: [...map.agents.keys()].sort((one, other) => postsOf(map, one) - postsOf(map, other) || one - other),
      edges: new EdgeLayer({ agents: map.agents, edges: drawnEdges(map, usualLeast(map)) }),
      sprites: createSprites(),
      colours: readColours(home),
      focused: undefined,
      together: new Set(),
      hovered: undefined,
    };
    const isActive = () => home.contains(document.activeElement);
    this.viewport = new Viewport(canvas, extentOf(map), isActive, () => this.#redraw());
    this.#listen(onFocus);
    const stopWatching = watchScheme(() => {
      this.#scene.colours = readColours(home);
      this.#redraw();
    });
    const resized = new ResizeObserver(() => this.#resize());
    resized.observe(canvas);
    this.#ends.signal.addEventListener("abort", () => {
      stopWatching();
      resized.disconnect();
      this.viewport.release();
      cancelAnimationFrame(this.#frame);
      clearTimeout(this.#rest);
    });
  }

  /** Selects an agent and makes sure that it is visible. */
  focus(index: number | undefined, neighbours: readonly Neighbour[]): void {
    this.#scene.focused = index;
    this.#scene.together = new Set(index === undefined ? [] : [index, ...neighbours.map((each) => each.index)]);
    const agent = index === undefined ? undefined : this.#scene.map.agents[index];
    if (agent) this.viewport.reveal(agent.x, agent.y);
    this.#redraw();
  }

  /** Draws only the edges with at least so many replies, and the strongest of each agent. */
  thin(least: number): void {
    const { map } = this.#scene;
    this.#scene.edges = new EdgeLayer({ agents: map.agents, edges: drawnEdges(map, least) });
    this.#redraw();
  }

  release(): void {
    this.#ends.abort();
  }

  #listen(onFocus: (index: number | undefined) => void): void {
    const { signal } = this.#ends;
    this.#canvas.addEventListener("click", (event) => onFocus(this.#agentAt(event)), { signal });
    this.#canvas.addEventListener("pointermove", (event) => this.#hover(this.#agentAt(event)), { signal });
    this.#canvas.addEventListener("pointerleave", () => this.#hover(undefined), { signal });
  }

  #agentAt({ offsetX, offsetY }: MouseEvent): number | undefined {
    const [x, y] = this.viewport.toMap(offsetX, offsetY);
    return agentAt(this.#scene.map.agents, x, y, NEAR_PX / this.viewport.transform.k);
  }

  #hover(index: number | undefined): void {
    if (this.#scene.hovered === index) return;
    this.#scene.hovered = index;
    this.#canvas.dataset.over = index === undefined ? "" : "agent";
    this.#redraw();
  }

  #resize(): void {
    this.#canvas.width = Math.round(this.#canvas.clientWidth * devicePixelRatio);
    this.#canvas.height = Math.round(this.#canvas.clientHeight * devicePixelRatio);
    this.viewport.fit();
  }

  /** Draws fast while the view moves, and once more properly when it rests. */
  #redraw(roughly = true): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
    this.#frame = requestAnimationFrame(() => {
      const context = this.#canvas.getContext("2d");
      const { clientWidth: width, clientHeight: height } = this.#canvas;
      const { k, x, y } = this.viewport.transform;
      const view = { k, x, y, width, height, density: devicePixelRatio };
      if (context && draw(context, view, this.#scene, roughly))
        this.#rest = setTimeout(() => this.#redraw(false), REST_MS);
    });
  }
}

const postsOf = ({ agents }: NetworkMap, index: number) => agents[index]?.posts ?? 0;

function shorten(name: string): string {
  const letters = [...name];
  return letters.length > LABEL_LENGTH ? `${letters.slice(0, LABEL_LENGTH - 1).join("")}…` : name;
}

function extentOf({ groups }: NetworkMap) {
  const extent = { left: 0, top: 0, right: 0, bottom: 0 };
  for (const { x, y, radius } of groups) {
    extent.left = Math.min(extent.left, x - radius);
    extent.right = Math.max(extent.right, x + radius);
    extent.top = Math.min(extent.top, y - radius);
    extent.bottom = Math.max(extent.bottom, y + radius);
  }
  return extent;
}
