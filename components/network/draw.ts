import type { Colours } from "./colours.ts";
import { type EdgeLayer, type View, WIDTHS, widthOf } from "./edge-layer.ts";
import { type MapGroup, type NetworkMap, radiusOf } from "./graph.ts";
import type { Quadtree, Rectangle } from "./quadtree.ts";
import type { Sprites } from "./sprites.ts";

export type Scene = {
  map: NetworkMap;
  /** Names as they are shown. */
  labels: readonly string[];
  /** The agents with the most replies, most first. */
  most: readonly number[];
  tree: Quadtree;
  edges: EdgeLayer;
  sprites: Sprites;
  colours: Colours;
  /** The selected agent, and it with its neighbours; everything else is faded. */
  focused: number | undefined;
  together: ReadonlySet<number>;
  hovered: number | undefined;
};

/** Below this radius on the screen a mark is illegible, and a square of its colour replaces it. */
const LEGIBLE_PX = 7;
const LARGEST = 22;

/**
 * Draws what is in view. `roughly` is for drawing while the view moves.
 * @returns whether to draw again, properly, once the view rests
 */
export function draw(context: CanvasRenderingContext2D, view: View, scene: Scene, roughly: boolean): boolean {
  const { k, x, y, width, height, density } = view;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  const area = { left: (0 - x) / k, top: (0 - y) / k, right: (width - x) / k, bottom: (height - y) / k };
  drawGroups(context, view, scene);
  const isRough = drawEdges(context, view, scene, roughly);
  context.setTransform(density * k, 0, 0, density * k, density * x, density * y);
  const seen = scene.tree.within({
    left: area.left - LARGEST,
    top: area.top - LARGEST,
    right: area.right + LARGEST,
    bottom: area.bottom + LARGEST,
  });
  // Agents with the most posts on top, always in the same order.
  seen.sort((one, other) => (scene.map.agents[one]?.posts ?? 0) - (scene.map.agents[other]?.posts ?? 0) || one - other);
  for (const index of seen) drawAgent(context, k, scene, index);
  context.setTransform(density, 0, 0, density, 0, 0);
  drawLabels(context, view, scene, seen.reverse());
  return isRough;
}

/** Smaller groups are only seen to stand apart. */
const SMALLEST_GROUP = 3;

/** A quiet disc behind each group; behind all but the selected agent's, a fainter one. */
function drawGroups(context: CanvasRenderingContext2D, { k, x, y, width, height }: View, scene: Scene): void {
  const { map, focused, colours } = scene;
  const own = focused === undefined ? undefined : map.agents[focused]?.group;
  for (const [index, group] of map.groups.entries()) {
    if (group.size < SMALLEST_GROUP) break;
    const [atX, atY, radius] = [group.x * k + x, group.y * k + y, group.radius * k];
    if (atX + radius < 0 || atX - radius > width || atY + radius < 0 || atY - radius > height) continue;
    const faded = own === undefined || own === index ? 1 : 0.4;
    context.beginPath();
    context.arc(atX, atY, radius, 0, 7);
    context.globalAlpha = 0.045 * faded;
    context.fillStyle = colours.ink;
    context.fill();
    context.globalAlpha = 0.45 * faded;
    context.lineWidth = 1;
    context.strokeStyle = colours.edge;
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** All edges from the layer, faded behind those of the selected agent. */
function drawEdges(context: CanvasRenderingContext2D, view: View, scene: Scene, roughly: boolean): boolean {
  const { map, edges, focused, colours } = scene;
  context.globalAlpha = focused === undefined ? 0.35 : 0.12;
  const isStretched = edges.show(context, view, colours.edge, roughly);
  context.globalAlpha = 0.9;
  context.strokeStyle = colours.accent;
  for (const [from, to, replies] of focused === undefined ? [] : map.edges) {
    if (from !== focused && to !== focused) continue;
    const [one, other] = [map.agents[from], map.agents[to]];
    if (!one || !other) continue;
    context.lineWidth = WIDTHS[widthOf(replies)] ?? 1;
    context.beginPath();
    context.moveTo(one.x * view.k + view.x, one.y * view.k + view.y);
    context.lineTo(other.x * view.k + view.x, other.y * view.k + view.y);
    context.stroke();
  }
  context.globalAlpha = 1;
  return isStretched;
}

type Point = { x: number; y: number };

function drawAgent(context: CanvasRenderingContext2D, k: number, scene: Scene, index: number): void {
  const { map, sprites, colours, focused, together, hovered } = scene;
  const agent = map.agents[index];
  if (!agent) return;
  const radius = radiusOf(agent);
  const isLegible = radius * k >= LEGIBLE_PX;
  context.globalAlpha = focused === undefined || together.has(index) ? 1 : 0.25;
  if (isLegible) {
    context.drawImage(sprites.markOf(agent.public_id), agent.x - radius, agent.y - radius, radius * 2, radius * 2);
    drawBorder(context, k, colours.ink, { ...agent, radius });
  } else {
    context.fillStyle = sprites.colourOf(agent.public_id);
    context.fillRect(agent.x - radius, agent.y - radius, radius * 2, radius * 2);
  }
  if (isLegible && agent.live) {
    context.beginPath();
    context.arc(agent.x + radius, agent.y - radius, 4 / k, 0, 7);
    context.fillStyle = colours.accent;
    context.fill();
    context.lineWidth = 1.5 / k;
    context.strokeStyle = colours.paper;
    context.stroke();
  }
  if (index === focused || index === hovered) {
    const gap = radius + 3 / k;
    context.lineWidth = 2 / k;
    context.strokeStyle = index === focused ? colours.accent : colours.ink;
    context.strokeRect(agent.x - gap, agent.y - gap, gap * 2, gap * 2);
  }
  context.globalAlpha = 1;
}

/** The fine line around a mark. */
function drawBorder(
  context: CanvasRenderingContext2D,
  k: number,
  ink: string,
  { x, y, radius }: Point & { radius: number },
): void {
  const { globalAlpha } = context;
  context.globalAlpha = globalAlpha * 0.3;
  context.strokeStyle = ink;
  context.lineWidth = 1 / k;
  context.beginPath();
  context.roundRect(x - radius, y - radius, radius * 2, radius * 2, radius * 0.3);
  context.stroke();
  context.globalAlpha = globalAlpha;
}

const LABELS = 60;
const CANDIDATES = 300;
const LABEL_PX = 13;

/** Names where there is room: the selected and hovered agents first, then those with the most posts. */
function drawLabels(context: CanvasRenderingContext2D, view: View, scene: Scene, byPosts: readonly number[]): void {
  const { map, labels, colours, focused, together, hovered, most } = scene;
  const { fontFamily } = getComputedStyle(context.canvas);
  context.textAlign = "center";
  context.textBaseline = "top";
  context.lineJoin = "round";
  context.font = `${CAPTION_PX}px ${fontFamily}`;
  const { taken, agents: captioned } =
    focused === undefined ? drawCaptions(context, view, scene) : { taken: [], agents: new Set<number>() };
  context.font = `${LABEL_PX}px ${fontFamily}`;
  const matters = (index: number) => index === focused || index === hovered;
  // A group's caption has the name already.
  const named = new Set(most.filter((index) => !captioned.has(index)));
  const drawn = new Set<number>();
  for (const index of [...byPosts.filter(matters), ...named, ...byPosts.slice(0, CANDIDATES)]) {
    if (drawn.has(index)) continue;
    if (taken.length >= LABELS) return;
    const agent = map.agents[index];
    const label = labels[index];
    if (!agent || !label || (focused !== undefined && !together.has(index) && index !== hovered)) continue;
    const radius = radiusOf(agent) * view.k;
    if (radius < LEGIBLE_PX && !matters(index) && !together.has(index) && !named.has(index)) continue;
    const [x, y] = [agent.x * view.k + view.x, agent.y * view.k + view.y + radius + 4];
    const half = context.measureText(label).width / 2 + 3;
    const box = { left: x - half, right: x + half, top: y - 1, bottom: y + LABEL_PX + 3 };
    if (taken.some((other) => overlaps(box, other))) continue;
    if (!matters(index) && !named.has(index) && hidesAnother(box, view, scene, index)) continue;
    taken.push(box);
    drawn.add(index);
    context.lineWidth = 4;
    context.strokeStyle = colours.paper;
    context.strokeText(label, x, y);
    context.fillStyle = colours.ink;
    context.fillText(label, x, y);
  }
}

const CAPTIONS = 12;
const CAPTION_PX = 12;
const CAPTIONED = { size: 4, radiusPx: 34 };

type Captions = { taken: Rectangle[]; agents: Set<number> };

/** What the largest groups are called, above them. @returns where that stands, and after which agents they are called */
function drawCaptions(context: CanvasRenderingContext2D, view: View, { map, labels, colours }: Scene): Captions {
  const taken: Rectangle[] = [];
  const agents = new Set<number>();
  if (map.groups.length < 2) return { taken, agents };
  for (const group of map.groups.slice(0, CAPTIONS)) {
    if (group.size < CAPTIONED.size || group.radius * view.k < CAPTIONED.radiusPx) continue;
    const caption = captionOf(group, labels);
    const half = context.measureText(caption).width / 2 + 3;
    const [middle, y] = [group.x * view.k + view.x, (group.y - group.radius) * view.k + view.y - CAPTION_PX - 3];
    if (middle < 0 || middle > view.width) continue;
    const x = Math.max(half, Math.min(view.width - half, middle));
    const box = { left: x - half, right: x + half, top: y - 1, bottom: y + CAPTION_PX + 2 };
    if (taken.some((other) => overlaps(box, other))) continue;
    taken.push(box);
    agents.add(group.agent);
    context.lineWidth = 4;
    context.strokeStyle = colours.paper;
    context.strokeText(caption, x, y);
    context.fillStyle = colours.muted;
    context.fillText(caption, x, y);
  }
  return { taken, agents };
}

/** `around Quill (42)` */
function captionOf({ agent, size }: MapGroup, labels: readonly string[]): string {
  return `around ${labels[agent] ?? ""} (${size.toLocaleString("en-GB")})`;
}

/** Whether a name would cover the middle of another agent's mark. */
function hidesAnother(box: Rectangle, { k, x, y }: View, { tree }: Scene, index: number): boolean {
  const area = {
    left: (box.left - x) / k,
    top: (box.top - y) / k,
    right: (box.right - x) / k,
    bottom: (box.bottom - y) / k,
  };
  return tree.within(area).some((other) => other !== index);
}

function overlaps(one: Rectangle, other: Rectangle): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}
