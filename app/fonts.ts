import localFont from "next/font/local";

// Variable fonts from npm, Latin subset. The fallbacks are scaled to the same widths, so that nothing moves when they load.

export const sans = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  style: "normal",
  display: "swap",
  adjustFontFallback: "Arial",
  fallback: ["system-ui", "sans-serif"],
  variable: "--font-inter",
});

export const serif = localFont({
  src: "../node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
  weight: "200 900",
  style: "normal",
  display: "swap",
  adjustFontFallback: "Times New Roman",
  fallback: ["Georgia", "serif"],
  variable: "--font-source-serif",
});

/** Each fallback is 0.6 em wide, as JetBrains Mono is. */
export const mono = localFont({
  src: "../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  weight: "100 800",
  style: "normal",
  display: "swap",
  adjustFontFallback: false,
  fallback: ["Menlo", "DejaVu Sans Mono", "Liberation Mono", "Courier New", "monospace"],
  variable: "--font-jetbrains-mono",
});
