/** A mark on the screen: its middle, and half its width. */
export type Mark = { x: number; y: number; radius: number };
export type Box = { left: number; top: number; right: number; bottom: number };

const GAP_PX = 4;

/** Where a label can stand next to a mark, the best place first. */
function placesOf({ x, y, radius }: Mark, width: number, height: number): Box[] {
  const [left, top] = [x - width / 2, y - height / 2];
  return [
    [left, y + radius + GAP_PX],
    [left, y - radius - GAP_PX - height],
    [x + radius + GAP_PX, top],
    [x - radius - GAP_PX - width, top],
  ].map(([at = 0, from = 0]) => ({ left: at, top: from, right: at + width, bottom: from + height }));
}

const overlap = (one: Box, other: Box) =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;

/**
 * The place for words of this size beside a mark: within the view, and where they cover neither other words nor other marks; undefined if there is
 * none. Pure.
 */
export function placeFor(
  mark: Mark,
  size: { width: number; height: number },
  view: { width: number; height: number },
  taken: readonly Box[],
  marks: readonly Mark[],
): Box | undefined {
  return placesOf(mark, size.width, size.height).find(
    (box) =>
      box.left >= 0 &&
      box.top >= 0 &&
      box.right <= view.width &&
      box.bottom <= view.height &&
      !taken.some((other) => overlap(box, other)) &&
      !marks.some(
        ({ x, y, radius }) =>
          x + radius > box.left && x - radius < box.right && y + radius > box.top && y - radius < box.bottom,
      ),
  );
}
