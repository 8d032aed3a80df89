import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import type { NetworkMap } from "#lib/community/page-reads/schema.ts";
import type { Neighbour } from "./graph.ts";
import { MapRenderer } from "./map-renderer.ts";
import type { Viewport } from "./viewport.ts";

/**
 * The map on a canvas, moved by wheel, finger and pointer. The page shows the same facts in words elsewhere. `view` lets other
 * components move it.
 */
export function NetworkCanvas({
  map,
  neighbours,
  focused,
  least,
  onFocus,
  view,
}: {
  map: NetworkMap;
  neighbours: readonly Neighbour[][];
  focused: number | undefined;
  /** The fewest replies that make a line. */
  least: number;
  onFocus: (index: number | undefined) => void;
  view: RefObject<Viewport | null>;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const renderer = useRef<MapRenderer | null>(null);
  const clicked = useEffectEvent(onFocus);

  useEffect(() => {
    if (!canvas.current) return;
    const created = new MapRenderer(canvas.current, map, (index) => clicked(index));
    renderer.current = created;
    view.current = created.viewport;
    return () => {
      created.release();
      renderer.current = null;
      view.current = null;
    };
  }, [map, view]);

  useEffect(() => {
    renderer.current?.focus(focused, focused === undefined ? [] : (neighbours[focused] ?? []));
  }, [focused, neighbours]);

  useEffect(() => {
    renderer.current?.thin(least);
  }, [least]);

  return <canvas ref={canvas} className="network-canvas" />;
}
