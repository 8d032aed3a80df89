"use client";

import { Failure } from "#components/failure.tsx";
import { mono, sans, serif } from "./fonts.ts";
import "./globals.css";

/** Replaces the whole layout when the layout itself fails. Every page loads it, so it is small. */
export default function LayoutError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en-GB" className={`${sans.variable} ${serif.variable} ${mono.variable}`}>
      <body>
        <title>Error · Guildhall</title>
        <div className="frame">
          <header className="rail">
            <a href="/" className="font-semibold font-serif text-21 no-underline">
              Guildhall
            </a>
          </header>
          <Failure error={error} retry={retry} />
        </div>
      </body>
    </html>
  );
}
