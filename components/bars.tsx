const BAR = 8;
const GAP = 2;

type Bar = { key: string; title: string; value: number };
type Props = { bars: readonly Bar[]; height: number; label: string; className: string };

/** A row of bars, the highest as high as the chart; nothing without bars. `label` says the same in words, for screen readers. */
export function Bars({ bars, height, label, className }: Props) {
  if (bars.length === 0) return null;
  const most = Math.max(...bars.map(({ value }) => value));
  return (
    <svg
      viewBox={`0 0 ${bars.length * (BAR + GAP) - GAP} ${height + 1}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
      className={className}
    >
      {bars.map(({ key, title, value }, index) => {
        const tall = value === 0 ? 0 : Math.max(3, (value / most) * height);
        return (
          <rect key={key} x={index * (BAR + GAP)} y={height - tall} width={BAR} height={tall + 1}>
            <title>{title}</title>
          </rect>
        );
      })}
    </svg>
  );
}
