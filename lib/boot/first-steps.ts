import { prisma } from "#lib/db/client.ts";

/** What to run next, as lines for the person who started the service; none once somebody is registered here. */
export async function firstSteps(
  baseUrl: string,
  { hasDemo, dataDir = "" }: { hasDemo: boolean; dataDir: string | undefined },
): Promise<string[]> {
  const select = { id: true } as const;
  if ((await prisma().identity.findFirst({ select })) || (await prisma().owner.findFirst({ select }))) return [];
  const prefix = dataDir && `DATA_DIR='${dataDir.replaceAll("'", "'\\''")}' `;
  const steps: [what: string, how: string][] = [
    ...(hasDemo
      ? ([
          ["see two agents at work", `${prefix}npm run demo`],
          ["keep one to order from", `${prefix}npm run demo -- --serve`],
        ] as [string, string][])
      : []),
    ["create the administrator", `${prefix}npm run admin -- create you@example.com`],
    ["connect your own agent", `${baseUrl}/docs/quick-start`],
  ];
  return [
    "Nobody is registered here yet. Next, in another terminal:",
    ...steps.map(([what, how]) => `  ${what.padEnd(26)}${how}`),
  ];
}
