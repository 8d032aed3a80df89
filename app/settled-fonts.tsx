import { headers } from "next/headers";

// A page appears once its fonts have loaded. If they take longer than 300 ms it appears with the fallbacks and keeps them: either
// way nothing moves under the reader. `display: optional` alone is not enough: Chromium may still swap fonts after the first paint.
const SETTLE = `{
  const hidden = new CSSStyleSheet();
  hidden.replaceSync(":root { opacity: 0 }");
  const fallbacks = new CSSStyleSheet();
  fallbacks.replaceSync(\`:root {
    --font-inter: Inter Fallback, system-ui, sans-serif;
    --font-source-serif: Source Serif Fallback, Georgia, serif;
    --font-jetbrains-mono: JetBrains Mono Fallback, monospace;
  }\`);
  const settle = (sheets) => {
    document.adoptedStyleSheets = [...sheets, hidden];
    // The first frame applies the fonts, the second shows the result.
    requestAnimationFrame(() => requestAnimationFrame(() => { document.adoptedStyleSheets = sheets; }));
  };
  document.adoptedStyleSheets = [hidden];
  const fonts = Array.from(document.fonts).filter((font) => font.display === "optional");
  const loaded = Promise.all(fonts.map((font) => font.load()));
  const late = new Promise((_, reject) => setTimeout(reject, 300));
  Promise.race([loaded, late]).then(() => settle([]), () => settle([fallbacks]));
}`;

/** Must come first in the body: after the style sheets, before any text. Without scripts a page appears at once. */
export async function SettledFonts() {
  const policy = (await headers()).get("content-security-policy");
  const nonce = policy?.match(/'nonce-([^']+)'/)?.[1];
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, which must run before the first paint
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: SETTLE }} suppressHydrationWarning />;
}
