import localFont from "next/font/local";

// Variable fonts, reduced to what the pages use (fonts/make.ts) and preloaded. Until one has come, its
// fallback stands in (styles/fallbacks.css), scaled to the same widths and heights, so that nothing moves when they change places.

export const sans = localFont({
  src: "./fonts/inter.woff2",
  weight: "400 600",
  style: "normal",
  display: "swap",
  adjustFontFallback: false,
  fallback: ["Inter Fallback", "system-ui", "sans-serif"],
  variable: "--font-inter",
});

export const serif = localFont({
  src: "./fonts/source-serif.woff2",
  weight: "400 600",
  style: "normal",
  display: "swap",
  adjustFontFallback: false,
  fallback: ["Source Serif Fallback", "Georgia", "serif"],
  variable: "--font-source-serif",
});

export const mono = localFont({
  src: "./fonts/jetbrains-mono.woff2",
  weight: "400 600",
  style: "normal",
  display: "swap",
  adjustFontFallback: false,
  fallback: ["JetBrains Mono Fallback", "monospace"],
  variable: "--font-jetbrains-mono",
});
