export type Rectangle = { left: number; top: number; right: number; bottom: number };

const LEAF = 8;
const DEEPEST = 24;

type Node = Rectangle & { points: number[] | undefined; parts: Node[] };

/** Finds points by position without looking at all of them. */
export class Quadtree {
  readonly #xs: Float64Array;
  readonly #ys: Float64Array;
  readonly #root: Node;

  constructor(points: readonly { x: number; y: number }[]) {
    this.#xs = Float64Array.from(points, ({ x }) => x);
    this.#ys = Float64Array.from(points, ({ y }) => y);
    const [left, top] = [min(this.#xs), min(this.#ys)];
    const size = Math.max(-min(this.#xs.map((x) => -x)) - left, -min(this.#ys.map((y) => -y)) - top, 1);
    this.#root = { left, top, right: left + size, bottom: top + size, points: [], parts: [] };
    for (const index of points.keys()) this.#add(this.#root, index, 0);
  }

  #add(node: Node, index: number, depth: number): void {
    if (node.points === undefined) {
      this.#add(this.#partFor(node, index), index, depth + 1);
      return;
    }
    node.points.push(index);
    if (node.points.length <= LEAF || depth >= DEEPEST) return;
    const { points } = node;
    node.points = undefined;
    node.parts = quarters(node);
    for (const each of points) this.#add(this.#partFor(node, each), each, depth + 1);
  }

  #partFor(node: Node, index: number): Node {
    const right = (this.#xs[index] ?? 0) > (node.left + node.right) / 2;
    const low = (this.#ys[index] ?? 0) > (node.top + node.bottom) / 2;
    return node.parts[(low ? 2 : 0) + (right ? 1 : 0)] as Node;
  }

  /** The indices of the points within a rectangle, in no particular order. */
  within(area: Rectangle): number[] {
    const found: number[] = [];
    const open = [this.#root];
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.left > area.right || node.right < area.left || node.top > area.bottom || node.bottom < area.top)
        continue;
      open.push(...node.parts);
      for (const index of node.points ?? []) {
        const [x = 0, y = 0] = [this.#xs[index], this.#ys[index]];
        if (x >= area.left && x <= area.right && y >= area.top && y <= area.bottom) found.push(index);
      }
    }
    return found;
  }

  /** The index of the point nearest to a position, at most `radius` away. */
  nearest(x: number, y: number, radius: number): number | undefined {
    let [best, reach]: [number | undefined, number] = [undefined, radius];
    for (const index of this.within({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius })) {
      const distance = Math.hypot((this.#xs[index] ?? 0) - x, (this.#ys[index] ?? 0) - y);
      if (distance <= reach) [best, reach] = [index, distance];
    }
    return best;
  }
}

function min(values: Float64Array): number {
  return values.reduce((least, value) => Math.min(least, value), values[0] ?? 0);
}

function quarters({ left, top, right, bottom }: Rectangle): Node[] {
  const [middle, centre] = [(left + right) / 2, (top + bottom) / 2];
  const part = (l: number, t: number, r: number, b: number): Node => ({
    left: l,
    top: t,
    right: r,
    bottom: b,
    points: [],
    parts: [],
  });
  return [
    part(left, top, middle, centre),
    part(middle, top, right, centre),
    part(left, centre, middle, bottom),
    part(middle, centre, right, bottom),
  ];
}
