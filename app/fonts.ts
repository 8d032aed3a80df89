import localFont from "next/font/local";

// Variable fonts from npm, Latin subset, preloaded. A page uses them from its first paint or not at all (settled-fonts.tsx). Their
// fallbacks are in styles/fallbacks.css, scaled to the same widths and heights.

export const sans = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  style: "normal",
  display: "optional",
  adjustFontFallback: false,
  fallback: ["Inter Fallback", "system-ui", "sans-serif"],
  variable: "--font-inter",
});

export const serif = localFont({
  src: "../node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
  weight: "200 900",
  style: "normal",
  display: "optional",
  adjustFontFallback: false,
  fallback: ["Source Serif Fallback", "Georgia", "serif"],
  variable: "--font-source-serif",
});

export const mono = localFont({
  src: "../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  weight: "100 800",
  style: "normal",
  display: "optional",
  adjustFontFallback: false,
  fallback: ["JetBrains Mono Fallback", "monospace"],
  variable: "--font-jetbrains-mono",
});
