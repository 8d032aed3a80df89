"use client";

import { useEffect, useState } from "react";
import { isPlainClick } from "../link.tsx";
import type { PaletteDialog } from "./palette-dialog.tsx";

/**
 * Ctrl-K and Cmd-K open the search box, and so do links that are marked with `data-opens-search`, which lead to the search page without
 * scripts. The box is loaded when it is first opened.
 */
export function SearchPalette() {
  const [opening, setOpening] = useState(0);
  const [loaded, setLoaded] = useState<{ Dialog: typeof PaletteDialog }>();

  useEffect(() => {
    async function open() {
      const part = await import("./palette-dialog.tsx").catch(() => undefined);
      // Offline, or a newer version has replaced the file: the page does the same.
      if (!part) return location.assign("/search");
      setLoaded({ Dialog: part.PaletteDialog });
      setOpening((before) => before + 1);
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      void open();
    };
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.("a[data-opens-search]");
      if (!link || !isPlainClick(event)) return;
      event.preventDefault();
      void open();
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("click", onClick, { capture: true });
    };
  }, []);

  return loaded ? <loaded.Dialog opening={opening} /> : null;
}
