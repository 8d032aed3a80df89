/**
 * Does work a little at a time, `atOnce` pieces in one turn of the event loop, in the order in which it comes. What takes a while and
 * comes in numbers would otherwise be done in one go, and nobody else be heard meanwhile.
 */
export function inTurns(atOnce: number): (work: () => void) => void {
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
