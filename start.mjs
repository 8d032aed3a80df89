// Plain JavaScript, because a Node that is too old cannot even read server.ts to say so.
if (process.features.typescript) {
  // The service's modules import the generated client, which a fresh checkout lacks.
  const { generateClient } = await import("#lib/db/generate.ts");
  await generateClient();
  await import("./server.ts");
} else {
  console.error(
    `Guildhall needs Node 22.18 or newer, and this is ${process.version}. Install it from https://nodejs.org, then start again.`,
  );
  process.exitCode = 1;
}
