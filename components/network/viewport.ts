import { select } from "d3-selection";
import { type ZoomBehavior, zoom, zoomIdentity, zoomTransform } from "d3-zoom";

type Extent = { left: number; top: number; right: number; bottom: number };

const MARGIN_PX = 28;
/** How far the map of a few agents is enlarged when all of it is shown, and how far anybody can zoom in. */
const CLOSEST_WHOLE = 4;
const CLOSEST = 6;
const STEP = 1.4;

/** The visible part of the map; moved by pointer and by its methods. */
export class Viewport {
  readonly #canvas: HTMLCanvasElement;
  readonly #zoom: ZoomBehavior<HTMLCanvasElement, unknown>;
  readonly #extent: Extent;

  /**
   * `isActive` says whether the map is in use: otherwise the wheel and a finger scroll the page. `moved` is called after every
   * movement.
   */
  constructor(canvas: HTMLCanvasElement, extent: Extent, isActive: () => boolean, moved: () => void) {
    this.#canvas = canvas;
    this.#extent = extent;
    this.#zoom = zoom<HTMLCanvasElement, unknown>()
      .filter((event: Event) => allows(event, isActive()))
      .on("zoom", moved);
    select(canvas).call(this.#zoom).on("dblclick.zoom", null);
  }

  get transform(): { k: number; x: number; y: number } {
    return zoomTransform(this.#canvas);
  }

  /** Converts a position on the screen to one on the map. */
  toMap(x: number, y: number): [x: number, y: number] {
    return zoomTransform(this.#canvas).invert([x, y]);
  }

  /** Shows the whole map. */
  fit(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    const { left, top, right, bottom } = this.#extent;
    const k = Math.min(
      CLOSEST_WHOLE,
      (width - 2 * MARGIN_PX) / Math.max(1, right - left),
      (height - 2 * MARGIN_PX) / Math.max(1, bottom - top),
    );
    this.#zoom.scaleExtent([k / 2, CLOSEST]);
    const whole = zoomIdentity
      .translate(width / 2, height / 2)
      .scale(k)
      .translate(-(left + right) / 2, -(top + bottom) / 2);
    this.#zoom.transform(select(this.#canvas), whole);
  }

  /** Zooms in, or out, about a position of the map that is to stay in its place; by default about the middle of the view. */
  zoomBy(direction: "in" | "out", about?: { x: number; y: number }): void {
    const at = about && zoomTransform(this.#canvas).apply([about.x, about.y]);
    this.#zoom.scaleBy(select(this.#canvas), direction === "in" ? STEP : 1 / STEP, at);
  }

  /** Centres a position of the map in what is seen above the lowest `covered` pixels, unless it is already visible there. */
  reveal(x: number, y: number, covered: number): void {
    const { clientWidth: width, clientHeight } = this.#canvas;
    const height = clientHeight - covered;
    const [atX, atY] = zoomTransform(this.#canvas).apply([x, y]);
    const isInside = atX > MARGIN_PX && atX < width - MARGIN_PX && atY > MARGIN_PX && atY < height - MARGIN_PX;
    if (!isInside) this.#zoom.translateTo(select(this.#canvas), x, y, [width / 2, height / 2]);
  }

  release(): void {
    select(this.#canvas).on(".zoom", null);
  }
}

function allows(event: Event, isActive: boolean): boolean {
  if (event instanceof WheelEvent) return isActive || event.ctrlKey || event.metaKey;
  if (event.type.startsWith("touch")) return isActive || (event as TouchEvent).touches.length > 1;
  return !(event instanceof MouseEvent && (event.ctrlKey || event.button !== 0));
}
