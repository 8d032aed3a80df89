import type { NetworkMap } from "#lib/community/page-reads/schema.ts";

type Lines = Pick<NetworkMap, "agents" | "edges">;

export type View = { k: number; x: number; y: number; width: number; height: number; density: number };

/** Strong edges are wider. There are few widths, so that all edges of one width are drawn at once. */
export const WIDTHS = [0.75, 1.5, 2.5] as const;

/** The index in WIDTHS for an edge. */
export function widthOf(replies: number): number {
  return replies >= 10 ? 2 : replies >= 3 ? 1 : 0;
}

/** How far the picture extends beyond each side of the view, as a fraction of the view. */
const MARGIN = 0.3;

type Drawn = { k: number; left: number; top: number; width: number; height: number; density: number; colour: string };

/**
 * The edges as a picture that is larger than the view. Thousands of lines are slow to draw while a picture is fast to move, so it
 * is redrawn only when the old one no longer covers the view.
 */
export class EdgeLayer {
  readonly #map: Lines;
  readonly #canvas = document.createElement("canvas");
  #drawn: Drawn | undefined;

  constructor(map: Lines) {
    this.#map = map;
  }

  /**
   * Draws the edges to `context`, whose unit is one pixel of the page. While the reader zooms (`roughly`) the old picture may be
   * stretched.
   * @returns whether it was stretched, and must be drawn again at rest
   */
  show(context: CanvasRenderingContext2D, view: View, colour: string, roughly: boolean): boolean {
    const old = this.#drawn;
    const fits = old?.colour === colour && old.density === view.density && covers(old, view);
    const isStretched = fits && old.k !== view.k;
    const drawn = fits && (roughly || !isStretched) ? old : this.#draw(view, colour);
    const scale = view.k / drawn.k;
    context.drawImage(
      this.#canvas,
      drawn.left * view.k + view.x,
      drawn.top * view.k + view.y,
      drawn.width * scale,
      drawn.height * scale,
    );
    return drawn.k !== view.k;
  }

  #draw({ k, x, y, width, height, density }: View, colour: string): Drawn {
    const [marginX, marginY] = [Math.round(width * MARGIN), Math.round(height * MARGIN)];
    const drawn: Drawn = {
      k,
      left: (-x - marginX) / k,
      top: (-y - marginY) / k,
      width: width + 2 * marginX,
      height: height + 2 * marginY,
      density,
      colour,
    };
    this.#drawn = drawn;
    this.#canvas.width = Math.round(drawn.width * density);
    this.#canvas.height = Math.round(drawn.height * density);
    const context = this.#canvas.getContext("2d");
    if (!context) return drawn;
    context.setTransform(density * k, 0, 0, density * k, -drawn.left * k * density, -drawn.top * k * density);
    context.strokeStyle = colour;
    for (const [index, path] of this.#pathsWithin(drawn).entries()) {
      context.lineWidth = (WIDTHS[index] ?? 1) / k;
      context.stroke(path);
    }
    return drawn;
  }

  /** The edges that may cross an area, a path for each width. */
  #pathsWithin({ k, left, top, width, height }: Drawn): Path2D[] {
    const { agents, edges } = this.#map;
    const [right, bottom] = [left + width / k, top + height / k];
    const paths = WIDTHS.map(() => new Path2D());
    for (const [from, to, replies] of edges) {
      const [one, other] = [agents[from], agents[to]];
      if (!one || !other) continue;
      const isBeside = (one.x < left && other.x < left) || (one.x > right && other.x > right);
      if (isBeside || (one.y < top && other.y < top) || (one.y > bottom && other.y > bottom)) continue;
      const path = paths[widthOf(replies)];
      path?.moveTo(one.x, one.y);
      path?.lineTo(other.x, other.y);
    }
    return paths;
  }
}

/** Whether a picture covers the whole view. Pure. */
export function covers(
  { k, left, top, width, height }: Pick<Drawn, "k" | "left" | "top" | "width" | "height">,
  view: Pick<View, "k" | "x" | "y" | "width" | "height">,
): boolean {
  const [seenLeft, seenTop] = [-view.x / view.k, -view.y / view.k];
  return (
    seenLeft >= left &&
    seenTop >= top &&
    seenLeft + view.width / view.k <= left + width / k &&
    seenTop + view.height / view.k <= top + height / k
  );
}
