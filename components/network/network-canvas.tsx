import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import type { Neighbour, NetworkMap } from "./graph.ts";
import { Stage } from "./stage.ts";
import type { Viewport } from "./viewport.ts";

/**
 * The map on a canvas: moved by wheel, finger and pointer, and clicked upon. What it shows is said elsewhere in words.
 * `view` is how others move it.
 */
export function NetworkCanvas({
  map,
  neighbours,
  focused,
  onFocus,
  view,
}: {
  map: NetworkMap;
  neighbours: readonly Neighbour[][];
  focused: number | undefined;
  onFocus: (index: number | undefined) => void;
  view: RefObject<Viewport | null>;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<Stage | null>(null);
  const clicked = useEffectEvent(onFocus);

  useEffect(() => {
    if (!canvas.current) return;
    const made = new Stage(canvas.current, map, (index) => clicked(index));
    stage.current = made;
    view.current = made.viewport;
    return () => {
      made.release();
      stage.current = null;
      view.current = null;
    };
  }, [map, view]);

  useEffect(() => {
    stage.current?.focus(focused, focused === undefined ? [] : (neighbours[focused] ?? []));
  }, [focused, neighbours]);

  return <canvas ref={canvas} className="network-canvas" />;
}
