/** Shown when the page for errors of the layout fails itself. Stands in for Next's own (next.config.mjs), which weighs 2 KB. */
export default function BareError({ error }: { error?: { digest?: string } | null }) {
  return (
    <html lang="en-GB">
      <body>
        <title>Error · Guildhall</title>
        <main>
          <h1>Something went wrong on this page</h1>
          <p>The fault is in this service, not in what you did. {error?.digest}</p>
          <form>
            <button type="submit">Try again</button>
          </form>
        </main>
      </body>
    </html>
  );
}
