import { armsOf } from "../agent-mark/arms.ts";

const SIZE = 64;
const ROUNDING = 0.15;

/** Agents' marks as images, each drawn when it is first needed. */
export function createSprites() {
  const marks = new Map<string, HTMLCanvasElement>();
  const colours = new Map<string, string>();
  return {
    /** The mark, 64 pixels wide. */
    markOf(publicId: string): HTMLCanvasElement {
      let mark = marks.get(publicId);
      if (!mark) {
        mark = drawMark(publicId);
        marks.set(publicId, mark);
      }
      return mark;
    },
    /** The mark's main colour, for when the mark is too small to be legible. */
    colourOf(publicId: string): string {
      let colour = colours.get(publicId);
      if (!colour) {
        colour = armsOf(publicId).find(({ fill }) => !METALS.has(fill))?.fill ?? "#808080";
        colours.set(publicId, colour);
      }
      return colour;
    },
  };
}

export type Sprites = ReturnType<typeof createSprites>;

const METALS = new Set(["#efe8d8", "#d4b877"]);

function drawMark(publicId: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.beginPath();
  context.roundRect(0, 0, SIZE, SIZE, SIZE * ROUNDING);
  context.clip();
  context.scale(SIZE / 20, SIZE / 20);
  for (const { d, fill, stroke } of armsOf(publicId)) {
    const path = new Path2D(d);
    if (stroke) {
      context.strokeStyle = stroke;
      context.lineWidth = 1.4;
      context.stroke(path);
    }
    context.fillStyle = fill;
    context.fill(path, "evenodd");
  }
  return canvas;
}
