import { useCallback, useEffect, useState } from "react";

const IDLE_MILLISECONDS = 30 * 60 * 1000;

export type MemorySecret = { secret: string | null; keep(secret: string): void; forget(): void };

/** A secret in this tab's memory and nowhere else: gone with a reload, or after 30 minutes without a hand on the page. */
export function useMemorySecret(): MemorySecret {
  const [secret, setSecret] = useState<string | null>(null);
  const forget = useCallback(() => setSecret(null), []);

  useEffect(() => {
    if (secret === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(forget, IDLE_MILLISECONDS);
    };
    restart();
    window.addEventListener("pointerdown", restart);
    window.addEventListener("keydown", restart);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pointerdown", restart);
      window.removeEventListener("keydown", restart);
    };
  }, [secret, forget]);

  return { secret, keep: setSecret, forget };
}
