import type { MapAgent, MapGroup, NetworkMap } from "#lib/community/page-reads/schema.ts";
import type { Colours } from "./colours.ts";
import { type EdgeLayer, type View, WIDTHS, widthOf } from "./edge-layer.ts";
import { radiusOf } from "./graph.ts";
import type { Sprites } from "./sprites.ts";

type Context = CanvasRenderingContext2D;

export type Scene = {
  map: NetworkMap;
  /** Names as they are shown. */
  labels: readonly string[];
  /** The agents with the most replies, most first. */
  most: readonly number[];
  /** All agents, those with the most posts last. */
  order: readonly number[];
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
export function draw(context: Context, view: View, scene: Scene, roughly: boolean): boolean {
  const { k, x, y, width, height, density } = view;
  const inPixels = () => context.setTransform(density, 0, 0, density, 0, 0);
  const inMapUnits = () => context.setTransform(density * k, 0, 0, density * k, density * x, density * y);
  inPixels();
  context.clearRect(0, 0, width, height);
  inMapUnits();
  drawGroups(context, k, scene);
  inPixels();
  context.globalAlpha = scene.focused === undefined ? 0.35 : 0.12;
  const isRough = scene.edges.show(context, view, scene.colours.edge, roughly);
  inMapUnits();
  drawOwnEdges(context, k, scene);
  const [left, top, right, bottom] = [-x / k, -y / k, (width - x) / k, (height - y) / k];
  const seen = scene.order.filter((index) => {
    const at = scene.map.agents[index] ?? { x: Number.NaN, y: 0 };
    return at.x > left - LARGEST && at.x < right + LARGEST && at.y > top - LARGEST && at.y < bottom + LARGEST;
  });
  for (const index of seen) drawAgent(context, k, scene, index);
  inPixels();
  drawWords(context, view, scene, seen.reverse());
  return isRough;
}

/** Smaller groups are only seen to stand apart. */
const SMALLEST_GROUP = 3;

/** A quiet disc behind each group; behind all but the selected agent's, a fainter one. */
function drawGroups(context: Context, k: number, { map, focused, colours }: Scene): void {
  const own = focused === undefined ? undefined : map.agents[focused]?.group;
  context.fillStyle = colours.ink;
  context.strokeStyle = colours.edge;
  context.lineWidth = 1 / k;
  for (const [index, group] of map.groups.entries()) {
    if (group.size < SMALLEST_GROUP) break;
    const faded = own === undefined || own === index ? 1 : 0.4;
    context.beginPath();
    context.arc(group.x, group.y, group.radius, 0, 7);
    context.globalAlpha = 0.045 * faded;
    context.fill();
    context.globalAlpha = 0.45 * faded;
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** The edges of the selected agent, before all others. */
function drawOwnEdges(context: Context, k: number, { map, focused, colours }: Scene): void {
  context.globalAlpha = 0.9;
  context.strokeStyle = colours.accent;
  for (const [from, to, replies] of focused === undefined ? [] : map.edges) {
    const [one, other] = [map.agents[from], map.agents[to]];
    if ((from !== focused && to !== focused) || !one || !other) continue;
    context.lineWidth = (WIDTHS[widthOf(replies)] ?? 1) / k;
    context.beginPath();
    context.moveTo(one.x, one.y);
    context.lineTo(other.x, other.y);
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawAgent(context: Context, k: number, scene: Scene, index: number): void {
  const { map, sprites, colours, focused, together, hovered } = scene;
  const agent = map.agents[index];
  if (!agent) return;
  const { x, y, public_id: id } = agent;
  const radius = radiusOf(agent);
  const alpha = focused === undefined || together.has(index) ? 1 : 0.25;
  context.globalAlpha = alpha;
  if (radius * k < LEGIBLE_PX) {
    context.fillStyle = sprites.colourOf(id);
    context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  } else {
    context.drawImage(sprites.markOf(id), x - radius, y - radius, radius * 2, radius * 2);
    context.globalAlpha = alpha * 0.3;
    context.strokeStyle = colours.ink;
    context.lineWidth = 1 / k;
    context.beginPath();
    context.roundRect(x - radius, y - radius, radius * 2, radius * 2, radius * 0.3);
    context.stroke();
    context.globalAlpha = alpha;
    if (agent.live) drawLive(context, k, colours, x + radius, y - radius);
  }
  if (index === focused || index === hovered) {
    const gap = radius + 3 / k;
    context.lineWidth = 2 / k;
    context.strokeStyle = index === focused ? colours.accent : colours.ink;
    context.strokeRect(x - gap, y - gap, gap * 2, gap * 2);
  }
  context.globalAlpha = 1;
}

function drawLive(context: Context, k: number, { accent, paper }: Colours, x: number, y: number): void {
  context.beginPath();
  context.arc(x, y, 4 / k, 0, 7);
  context.fillStyle = accent;
  context.fill();
  context.lineWidth = 1.5 / k;
  context.strokeStyle = paper;
  context.stroke();
}

const MOST_WORDS = 60;
const CANDIDATES = 300;
const LABEL_PX = 13;
const CAPTIONS = 12;
const CAPTION_PX = 12;
const CAPTIONED = { size: 4, radiusPx: 34 };

type Box = { left: number; top: number; right: number; bottom: number };
type Words = { text: string; x: number; y: number; colour: string };

/** Words where there is room: what the largest groups are called, unless an agent is selected, and then names. */
function drawWords(context: Context, view: View, scene: Scene, byPosts: readonly number[]): void {
  const { fontFamily } = getComputedStyle(context.canvas);
  const taken: Box[] = [];
  context.textAlign = "center";
  context.textBaseline = "top";
  context.lineJoin = "round";
  /** @returns whether there was room */
  const write = ({ text, x, y, colour }: Words, px: number, fits = (_box: Box) => true): boolean => {
    const half = context.measureText(text).width / 2 + 3;
    const box = { left: x - half, right: x + half, top: y - 1, bottom: y + px + 3 };
    if (taken.some((other) => overlaps(box, other)) || !fits(box)) return false;
    taken.push(box);
    context.lineWidth = 4;
    context.strokeStyle = scene.colours.paper;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
    return true;
  };

  context.font = `${CAPTION_PX}px ${fontFamily}`;
  const captioned = new Set<number>();
  for (const group of scene.focused === undefined ? groupsToCaption(view, scene) : [])
    if (write(captionOf(context, view, scene, group), CAPTION_PX)) captioned.add(group.agent);

  context.font = `${LABEL_PX}px ${fontFamily}`;
  const matters = (index: number) => index === scene.focused || index === scene.hovered;
  // A group's caption has the name already.
  const named = new Set(scene.most.filter((index) => !captioned.has(index)));
  const drawn = new Set<number>();
  for (const index of [...byPosts.filter(matters), ...named, ...byPosts.slice(0, CANDIDATES)]) {
    if (taken.length >= MOST_WORDS) return;
    const isWanted = matters(index) || named.has(index);
    const label = drawn.has(index) ? undefined : labelOf(view, scene, index, isWanted);
    const hidesNone = (box: Box) =>
      isWanted || !byPosts.some((other) => other !== index && holds(box, view, scene.map.agents[other]));
    if (label && write(label, LABEL_PX, hidesNone)) drawn.add(index);
  }
}

/** The name beneath an agent's mark; undefined if it should not be shown. */
function labelOf({ k, x, y }: View, scene: Scene, index: number, isWanted: boolean): Words | undefined {
  const { map, labels, colours, focused, together, hovered } = scene;
  const agent = map.agents[index];
  if (!agent || (focused !== undefined && !together.has(index) && index !== hovered)) return undefined;
  const radius = radiusOf(agent) * k;
  if (radius < LEGIBLE_PX && !isWanted && !together.has(index)) return undefined;
  return { text: labels[index] ?? "", x: agent.x * k + x, y: agent.y * k + y + radius + 4, colour: colours.ink };
}

function groupsToCaption({ k, x, width }: View, { map: { groups } }: Scene): MapGroup[] {
  if (groups.length < 2) return [];
  return groups.slice(0, CAPTIONS).filter((group) => {
    const middle = group.x * k + x;
    return group.size >= CAPTIONED.size && group.radius * k >= CAPTIONED.radiusPx && middle >= 0 && middle <= width;
  });
}

/** `around Quill (42)`, above the group and within the view. */
function captionOf(context: Context, { k, x, y, width }: View, { labels, colours }: Scene, group: MapGroup): Words {
  const text = `around ${labels[group.agent] ?? ""} (${group.size.toLocaleString("en-GB")})`;
  const half = context.measureText(text).width / 2 + 3;
  return {
    text,
    x: Math.max(half, Math.min(width - half, group.x * k + x)),
    y: (group.y - group.radius) * k + y - CAPTION_PX - 3,
    colour: colours.muted,
  };
}

/** Whether the middle of an agent's mark is in a box on the screen. */
function holds(box: Box, { k, x, y }: View, agent: MapAgent | undefined): boolean {
  if (!agent) return false;
  const [atX, atY] = [agent.x * k + x, agent.y * k + y];
  return atX >= box.left && atX <= box.right && atY >= box.top && atY <= box.bottom;
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}
