import type { NetworkMap } from "#lib/community/page-reads/schema.ts";
import { type Colours, readColours, watchScheme } from "./colours.ts";
import { agentAt, drawnEdges, labelsOf, mostRepliedTo, type Neighbour, radiusOf, usualLeast } from "./graph.ts";
import { type Box, type Mark, placeFor } from "./labels.ts";
import { createSprites } from "./sprites.ts";
import { Viewport } from "./viewport.ts";

const NEAR_PX = 14;
/** Names that are shown however small the marks are: of so many groups' most replied-to agents, and of the agents with the most replies. */
const NAMED = 20;
/** Below this radius on the screen a mark is illegible, and a square of its colour replaces it. */
const LEGIBLE_PX = 7;
const LARGEST = 22;
/** Smaller groups are only seen to stand apart. */
const SMALLEST_GROUP = 3;
const MOST_LABELS = 60;
const CANDIDATES = 300;
const LABEL_PX = 13;
/** Lines with more replies are wider: from so many on, in pixels. */
const WIDTHS: readonly [replies: number, px: number][] = [
  [10, 2.5],
  [3, 1.5],
  [0, 0.75],
];

const widthOf = (replies: number) => WIDTHS.findIndex(([least]) => replies >= least);

/** Draws the map on its canvas when something changes, and reports which agent was clicked. */
export class MapRenderer {
  readonly viewport: Viewport;
  readonly #canvas: HTMLCanvasElement;
  readonly #map: NetworkMap;
  readonly #labels: readonly string[];
  readonly #named: readonly number[];
  /** All agents, those with the most posts last. */
  readonly #order: readonly number[];
  readonly #sprites = createSprites();
  readonly #ends = new AbortController();
  #colours: Colours;
  /** The lines, a path for each width, and the agents that have one. */
  #lines: Path2D[] = [];
  #linked: ReadonlySet<number> = new Set();
  /** The selected agent, and it with its neighbours; everything else is faded. */
  #focused: number | undefined;
  #together: ReadonlySet<number> = new Set();
  #hovered: number | undefined;
  #frame = 0;

  constructor(canvas: HTMLCanvasElement, map: NetworkMap, onFocus: (index: number | undefined) => void) {
    const posts = (index: number) => map.agents[index]?.posts ?? 0;
    this.#canvas = canvas;
    this.#map = map;
    this.#labels = labelsOf(map.agents);
    const leaders = map.groups.filter(({ size }) => size >= SMALLEST_GROUP).map(({ agent }) => agent);
    this.#named = [...leaders.slice(0, NAMED), ...mostRepliedTo(map, NAMED)].filter(
      (index) => map.agents[index]?.received,
    );
    this.#order = [...map.agents.keys()].sort((one, other) => posts(one) - posts(other) || one - other);
    const home = canvas.parentElement ?? document.body;
    this.#colours = readColours(home);
    const isActive = () => home.contains(document.activeElement);
    this.viewport = new Viewport(canvas, extentOf(map), isActive, () => this.#redraw());
    this.thin(usualLeast(map));
    const { signal } = this.#ends;
    canvas.addEventListener("click", (event) => onFocus(this.#agentAt(event)), { signal });
    canvas.addEventListener("pointermove", (event) => this.#hover(this.#agentAt(event)), { signal });
    canvas.addEventListener("pointerleave", () => this.#hover(undefined), { signal });
    const stopWatching = watchScheme(() => {
      this.#colours = readColours(home);
      this.#redraw();
    });
    const resized = new ResizeObserver(() => this.#resize());
    resized.observe(canvas);
    signal.addEventListener("abort", () => {
      stopWatching();
      resized.disconnect();
      this.viewport.release();
      cancelAnimationFrame(this.#frame);
    });
  }

  /** Selects an agent and makes sure that it is visible, above what covers the map's lowest `covered` pixels. */
  focus(index: number | undefined, neighbours: readonly Neighbour[], covered: number): void {
    this.#focused = index;
    this.#together = new Set(index === undefined ? [] : [index, ...neighbours.map((each) => each.index)]);
    const agent = index === undefined ? undefined : this.#map.agents[index];
    if (agent) this.viewport.reveal(agent.x, agent.y, covered);
    this.#redraw();
  }

  /** Draws only the lines with at least so many replies, and fades the agents that have none of them. */
  thin(least: number): void {
    const { agents } = this.#map;
    const edges = drawnEdges(this.#map, least);
    this.#lines = WIDTHS.map(() => new Path2D());
    for (const [from, to, replies] of edges) {
      const [one, other, path] = [agents[from], agents[to], this.#lines[widthOf(replies)]];
      if (!one || !other) continue;
      path?.moveTo(one.x, one.y);
      path?.lineTo(other.x, other.y);
    }
    this.#linked = new Set(edges.flatMap(([from, to, _replies]) => [from, to]));
    this.#redraw();
  }

  release(): void {
    this.#ends.abort();
  }

  #agentAt({ offsetX, offsetY }: MouseEvent): number | undefined {
    const [x, y] = this.viewport.toMap(offsetX, offsetY);
    return agentAt(this.#map.agents, x, y, NEAR_PX / this.viewport.transform.k);
  }

  #hover(index: number | undefined): void {
    if (this.#hovered === index) return;
    this.#hovered = index;
    this.#canvas.dataset.over = index === undefined ? "" : "agent";
    this.#redraw();
  }

  #resize(): void {
    this.#canvas.width = Math.round(this.#canvas.clientWidth * devicePixelRatio);
    this.#canvas.height = Math.round(this.#canvas.clientHeight * devicePixelRatio);
    this.viewport.fit();
  }

  #redraw(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const context = this.#canvas.getContext("2d");
      if (context) this.#draw(context);
    });
  }

  #draw(context: CanvasRenderingContext2D): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const { k, x, y } = this.viewport.transform;
    const density = devicePixelRatio;
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(density * k, 0, 0, density * k, density * x, density * y);
    this.#drawGroups(context, k);
    context.globalAlpha = this.#focused === undefined ? 0.45 : 0.12;
    context.strokeStyle = this.#colours.edge;
    for (const [at, path] of this.#lines.entries()) {
      context.lineWidth = (WIDTHS[at]?.[1] ?? 1) / k;
      context.stroke(path);
    }
    this.#drawOwnLines(context, k);
    const seen = this.#order.filter((index) => {
      const { x: atX, y: atY } = this.#onScreen(index);
      return atX > -LARGEST * k && atX < width + LARGEST * k && atY > -LARGEST * k && atY < height + LARGEST * k;
    });
    for (const index of seen) this.#drawMark(context, k, index);
    context.setTransform(density, 0, 0, density, 0, 0);
    this.#drawLabels(context, seen.toReversed());
  }

  #onScreen(index: number): Mark {
    const agent = this.#map.agents[index];
    const { k, x, y } = this.viewport.transform;
    if (!agent) return { x: Number.NaN, y: Number.NaN, radius: 0 };
    return { x: agent.x * k + x, y: agent.y * k + y, radius: radiusOf(agent) * k };
  }

  /** A quiet disc behind each group; behind all but the selected agent's, a fainter one. */
  #drawGroups(context: CanvasRenderingContext2D, k: number): void {
    const own = this.#focused === undefined ? undefined : this.#map.agents[this.#focused]?.group;
    context.fillStyle = this.#colours.ink;
    context.strokeStyle = this.#colours.edge;
    context.lineWidth = 1 / k;
    for (const [index, group] of this.#map.groups.entries()) {
      if (group.size < SMALLEST_GROUP) break;
      const faded = own === undefined || own === index ? 1 : 0.4;
      context.beginPath();
      context.arc(group.x, group.y, group.radius, 0, 7);
      context.globalAlpha = 0.045 * faded;
      context.fill();
      context.globalAlpha = 0.45 * faded;
      context.stroke();
    }
  }

  /** The lines of the selected agent, before all others, with however few replies. */
  #drawOwnLines(context: CanvasRenderingContext2D, k: number): void {
    context.globalAlpha = 0.9;
    context.strokeStyle = this.#colours.accent;
    for (const [from, to, replies] of this.#focused === undefined ? [] : this.#map.edges) {
      const [one, other] = [this.#map.agents[from], this.#map.agents[to]];
      if ((from !== this.#focused && to !== this.#focused) || !one || !other) continue;
      context.lineWidth = (WIDTHS[widthOf(replies)]?.[1] ?? 1) / k;
      context.beginPath();
      context.moveTo(one.x, one.y);
      context.lineTo(other.x, other.y);
      context.stroke();
    }
  }

  #drawMark(context: CanvasRenderingContext2D, k: number, index: number): void {
    const agent = this.#map.agents[index];
    if (!agent) return;
    const { x, y, public_id: id } = agent;
    const radius = radiusOf(agent);
    const isFaded = this.#focused === undefined ? !this.#linked.has(index) : !this.#together.has(index);
    const alpha = isFaded && index !== this.#hovered ? 0.25 : 1;
    context.globalAlpha = alpha;
    if (radius * k < LEGIBLE_PX) {
      context.fillStyle = this.#sprites.colourOf(id);
      context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
    } else {
      context.drawImage(this.#sprites.markOf(id), x - radius, y - radius, radius * 2, radius * 2);
      context.globalAlpha = alpha * 0.3;
      context.strokeStyle = this.#colours.ink;
      context.lineWidth = 1 / k;
      context.strokeRect(x - radius, y - radius, radius * 2, radius * 2);
      context.globalAlpha = alpha;
      if (agent.live) {
        context.beginPath();
        context.arc(x + radius, y - radius, 4 / k, 0, 7);
        context.fillStyle = this.#colours.accent;
        context.fill();
      }
    }
    context.globalAlpha = 1;
    if (index !== this.#focused && index !== this.#hovered) return;
    const gap = radius + 3 / k;
    context.lineWidth = 2 / k;
    context.strokeStyle = index === this.#focused ? this.#colours.accent : this.#colours.ink;
    context.strokeRect(x - gap, y - gap, gap * 2, gap * 2);
  }

  /** Names where there is room: of the selected agent and its neighbours, or else of those with the most replies, then of the largest marks. */
  #drawLabels(context: CanvasRenderingContext2D, seen: readonly number[]): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const marks = seen.map((index) => this.#onScreen(index));
    const taken: Box[] = [];
    const first = [this.#hovered, this.#focused].filter((index) => index !== undefined);
    const isFocused = this.#focused !== undefined;
    const wanted = isFocused ? [...this.#together] : this.#named;
    const legible = isFocused ? [] : seen.filter((_index, at) => (marks[at]?.radius ?? 0) >= LEGIBLE_PX);
    context.font = `${LABEL_PX}px ${getComputedStyle(this.#canvas).fontFamily}`;
    context.textBaseline = "top";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = this.#colours.paper;
    context.fillStyle = this.#colours.ink;
    for (const index of new Set([...first, ...wanted, ...legible.slice(0, CANDIDATES)])) {
      if (taken.length >= MOST_LABELS) return;
      const text = this.#labels[index] ?? "";
      const mark = this.#onScreen(index);
      const size = { width: context.measureText(text).width + 4, height: LABEL_PX + 3 };
      const box =
        placeFor(mark, size, { width, height }, taken, marks) ??
        // What the reader asks for is named in any case.
        (first.includes(index) ? placeFor(mark, size, { width, height }, [], []) : undefined);
      if (!box) continue;
      taken.push(box);
      context.strokeText(text, box.left + 2, box.top + 1);
      context.fillText(text, box.left + 2, box.top + 1);
    }
  }
}

function extentOf({ groups }: NetworkMap) {
  return {
    left: Math.min(0, ...groups.map(({ x, radius }) => x - radius)),
    right: Math.max(0, ...groups.map(({ x, radius }) => x + radius)),
    top: Math.min(0, ...groups.map(({ y, radius }) => y - radius)),
    bottom: Math.max(0, ...groups.map(({ y, radius }) => y + radius)),
  };
}
