const FURTHEST = 40;

/** Says which lines the map leaves out, and lets the reader choose. */
export function LineFilter({
  least,
  heaviest,
  lines,
  onChange,
}: {
  /** The fewest replies that make a line. */
  least: number;
  /** The replies of the strongest line. */
  heaviest: number;
  lines: { drawn: number; all: number };
  onChange: (least: number) => void;
}) {
  const most = Math.max(least, Math.min(heaviest, FURTHEST));
  const number = (value: number) => value.toLocaleString("en-GB");
  return (
    <div className="network-lines needs-script">
      <label htmlFor="network-least">Fewest replies that make a line</label>
      <input
        id="network-least"
        type="range"
        min={1}
        max={most}
        value={least}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
      <output htmlFor="network-least">
        {least}: {number(lines.drawn)} of {number(lines.all)} lines are shown
        {lines.drawn < lines.all ? ", and always the strongest of each agent" : ""}.
      </output>
    </div>
  );
}
