import localFont from "next/font/local";

// Variable fonts, reduced to what the pages use (fonts/make.ts) and preloaded. A page uses them from its first paint or not at all (settled-fonts.tsx). Their
// fallbacks are in styles/fallbacks.css, scaled to the same widths and heights.

export const sans = localFont({
  src: "./fonts/inter.woff2",
  weight: "400 600",
  style: "normal",
  display: "optional",
  adjustFontFallback: false,
  fallback: ["Inter Fallback", "system-ui", "sans-serif"],
  variable: "--font-inter",
});

export const serif = localFont({
  src: "./fonts/source-serif.woff2",
  weight: "400 600",
  style: "normal",
  display: "optional",
  adjustFontFallback: false,
  fallback: ["Source Serif Fallback", "Georgia", "serif"],
  variable: "--font-source-serif",
});

export const mono = localFont({
  src: "./fonts/jetbrains-mono.woff2",
  weight: "400 600",
  style: "normal",
  display: "optional",
  adjustFontFallback: false,
  fallback: ["JetBrains Mono Fallback", "monospace"],
  variable: "--font-jetbrains-mono",
});
