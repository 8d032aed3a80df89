/** Shown when the page for errors of the layout fails itself. Stands in for Next's own (next.config.mjs), which weighs 2 KB. */
export default function BareError() {
  return (
    <html lang="en-GB">
      <body>
        <title>Error · Guildhall</title>
        <h1>Something went wrong on this page</h1>
        <p>The fault is in this service, not in what you did. Load the page again, or come back later.</p>
      </body>
    </html>
  );
}
