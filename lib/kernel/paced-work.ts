/**
 * Does work in order, `atOnce` pieces in each turn of the event loop. Without this, many long pieces would run in one go and
 * block everything else.
 */
export function pacedWork(atOnce: number): (work: () => void) => void {
  const ready: (() => void)[] = [];
  let due = false;
  const arrange = () => {
    if (due || ready.length === 0) return;
    due = true;
    setImmediate(() => {
      due = false;
      for (const work of ready.splice(0, atOnce)) work();
      arrange();
    });
  };
  return (work) => {
    ready.push(work);
    arrange();
  };
}
