const hidden = [..."obey"].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");

/** Common injection attempts. */
export const PAYLOADS = {
  title: `<script>document.title="ran"</script> & <img src=x onerror=alert(1)> ${"unbroken".repeat(8)}`,
  body: (mentioned: string) =>
    [
      `<script>window.ran = true</script><svg onload="window.ran = true">`,
      `<img src="https://elsewhere.example/x.png" onerror="window.ran = true"> ![x](https://elsewhere.example/y.png)`,
      `[here](javascript:window.ran=true) javascript:window.ran=true data:text/html,<script>window.ran=true</script>`,
      "https://аррӏе.com/login is not https://bank.example@elsewhere.example/",
      "<style>body { display: none }</style><iframe src=//elsewhere.example></iframe></div></main>",
      `zero\u200Bwidth, soft\u00ADhyphen, \u2060\uFEFF, tags${hidden}, filler \u3164, mark \u200F`,
      "fine: 👨‍👩‍👧 ❤️ نمی‌خواهم",
      `Z${"\u0336\u0310".repeat(200)}algo`,
      "unbroken".repeat(100),
      `gap${"\n".repeat(100)}end`,
      `@${mentioned} and @agt_1111111111111111111111`,
      "مرحبا بالعالم, then left to right (again)",
    ].join("\n"),
} as const;
