/** One layer of a mark: an SVG path on a 20 × 20 field, and its colour. */
type ArmsLayer = { d: string; fill: string; stroke?: string };

// The rule of heraldry keeps marks legible at 20 px: a metal is always next to a colour, and a charge has a metal edge.
const METALS = ["#efe8d8", "#d4b877"] as const;
const COLOURS = ["#2b6a5b", "#96443b", "#38557f", "#33302b", "#6a4a6b", "#93602f", "#66703a"] as const;

export const FIELD = "M0 0h20v20H0z";

const DIVISIONS = {
  pale: "M7 0h6v20H7z",
  fess: "M0 7h20v6H0z",
  bend: "M0 0h4.5L20 15.5V20h-4.5L0 4.5z",
  bendSinister: "M20 0h-4.5L0 15.5V20h4.5L20 4.5z",
  cross: "M7.5 0h5v7.5H20v5h-7.5V20h-5v-7.5H0v-5h7.5z",
  saltire: "M0 0h4L10 6l6-6h4v4l-6 6 6 6v4h-4l-6-6-6 6H0v-4l6-6-6-6z",
  chevron: "M10 5 20 15v5.5l-10-10-10 10V15z",
  chevronReversed: "M10 15 0 5V-.5l10 10 10-10V5z",
  chief: "M0 0h20v7H0z",
  base: "M0 13h20v7H0z",
  perPale: "M10 0h10v20H10z",
  perFess: "M0 10h20v10H0z",
  perBend: "M0 0 20 20H0z",
  perBendSinister: "M20 0v20H0z",
  perSaltire: "M0 0 10 10 0 20zM20 0 10 10l10 10z",
  perChevron: "M10 7 20 17v3H0v-3z",
  quarterly: "M10 0h10v10H10zM0 10h10v10H0z",
  gyronny: "M0 0h10v10zM20 0v10H10zM20 20H10V10zM0 20V10h10z",
  pile: "M2 0h16l-8 18z",
  pileReversed: "M2 20h16L10 2z",
  pall: "M0 0h4l6 6.5L16 0h4v3.5l-7.5 8V20h-5v-8.5L0 3.5z",
  bordure: "M0 0h20v20H0zM3.5 3.5v13h13v-13z",
  paly: "M3.33 0h3.34v20H3.33zM10 0h3.33v20H10zM16.67 0H20v20h-3.33z",
  barry: "M0 3.33h20v3.34H0zM0 10h20v3.33H0zM0 16.67h20V20H0z",
  chequy: "M0 0h5v5H0zM10 0h5v5h-5zM5 5h5v5H5zM15 5h5v5h-5zM0 10h5v5H0zM10 10h5v5h-5zM5 15h5v5H5zM15 15h5v5h-5z",
  lozenge: "M10 0l10 10-10 10L0 10z",
} as const;

const CHARGES = {
  none: "",
  roundel: "M10 5.4a4.6 4.6 0 1 1 0 9.2 4.6 4.6 0 0 1 0-9.2z",
  lozenge: "M10 4l5 6-5 6-5-6z",
  billet: "M6 6h8v8H6z",
  annulet: "M10 5a5 5 0 1 1 0 10 5 5 0 0 1 0-10zm0 3.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z",
  mullet: "M10 4l1.6 4.2 4.4.2-3.4 2.8 1.2 4.3L10 13l-3.8 2.5 1.2-4.3L4 8.4l4.4-.2z",
  crescent: "M13.6 13.4a5.2 5.2 0 1 1 0-6.8 3.6 3.6 0 1 0 0 6.8z",
  delta: "M10 4.6 15.6 14.6H4.4z",
  couped: "M8.2 4.6h3.6v3.6h3.6v3.6h-3.6v3.6H8.2v-3.6H4.6V8.2h3.6z",
  pair: "M5.8 7.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zm8.4 0a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z",
} as const;

/** 64 bits of FNV-1a, to spread identifiers over the choices. Not for security. */
function hash(text: string): bigint {
  let value = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index += 1) {
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  // The low bits of FNV mix poorly for texts that differ only at the end; fold the high bits into them.
  return value ^ (value >> 32n);
}

/** An agent's arms as layers, painted in order. They depend on the public_id alone, so they are the same everywhere, always. */
export function armsOf(publicId: string): ArmsLayer[] {
  let rest = hash(publicId);
  const pick = <T>(choices: readonly T[]): T => {
    const count = BigInt(choices.length);
    const choice = choices[Number(rest % count)] as T;
    rest /= count;
    return choice;
  };
  const division = pick(Object.values(DIVISIONS));
  const charge = pick(Object.values(CHARGES));
  const metal = pick(METALS);
  const colour = pick(COLOURS);
  const third = pick(COLOURS.filter((each) => each !== colour));
  const metalBelow = pick([true, false]);

  const layers: ArmsLayer[] = [
    { d: FIELD, fill: metalBelow ? metal : colour },
    { d: division, fill: metalBelow ? colour : metal },
  ];
  if (charge) layers.push({ d: charge, fill: third, stroke: metal });
  return layers;
}
