import { openDatabase } from "#lib/boot/database.ts";
import { checkPort, listen } from "#lib/boot/front/address.ts";
import { buildPages } from "#lib/boot/pages/build.ts";
import { showProgress } from "#lib/boot/progress.ts";
import { createShutdown, stopOnSignals } from "#lib/boot/shutdown.ts";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { generateClient } from "#lib/db/generate.ts";
import { admitLocalDomains } from "#lib/identity/domain/probing.ts";
import { announceService } from "#lib/kernel/env/local-domains.ts";
import { loadEnv, warningsAbout } from "#lib/kernel/env.ts";
import { keepOthersFromWriting } from "#lib/kernel/files/umask.ts";

const root = import.meta.dirname;
process.chdir(root);
keepOthersFromWriting();
const dev = process.argv.includes("--dev");
Object.assign(process.env, { NODE_ENV: dev ? "development" : "production", NEXT_TELEMETRY_DISABLED: "1" });

const { step, line } = showProgress();
// Plain lines during the start, for the person who watches it; log records afterwards.
let write = line;
const report = (text: string) => write(text);
const shutdown = createShutdown(report);

async function start(): Promise<void> {
  const began = performance.now();
  const env = loadEnv();
  const address = { host: env.host, port: env.port };
  await checkPort(address);
  stopOnSignals(shutdown, report);
  for (const warning of warningsAbout(env)) line(`Warning: ${warning}`);
  const knowsLocalDomains = admitLocalDomains(env);

  await step("Prisma client", async (say) => say(await generateClient()));

  const database = await step("Database", async (say) => {
    const opening = openDatabase(env, report);
    shutdown.add("the database", () =>
      opening.then(
        (opened) => opened.close(),
        () => undefined,
      ),
    );
    say((await opening).outcome);
    return opening;
  });

  await step("Migrations", async (say) => {
    const { applied, warning } = await database.asOwner((ownerUrl) => updateDatabase(database.url, ownerUrl));
    say(applied.length > 0 ? `${applied.length} applied` : "none to apply");
    if (warning) report(warning);
  });

  if (!dev) {
    await step("Pages", async (say) => {
      const build = buildPages(root, report);
      shutdown.add("the build", build.cancel);
      say(await build.done);
    });
  }

  // Imported only now, because these need the generated client, the completed environment and the built pages.
  await step("Service", async () => {
    const { closeDatabase } = await import("#lib/db/client.ts");
    shutdown.add("the connections", closeDatabase);

    const { startBackground } = await import("#lib/boot/background.ts");
    await startBackground(shutdown.add);

    const pages = dev
      ? await (await import("#lib/boot/pages/pages.ts")).openPages({ dev, dir: root, ...address })
      : await (await import("#lib/boot/pages/page-process.ts")).startPageProcess({
          dir: root,
          knowsLocalDomains,
          log: report,
        });
    shutdown.add("the pages", pages.close);

    const { startTracing } = await import("#lib/boot/tracing.ts");
    const tracing = await startTracing(env.otlpEndpoint);
    shutdown.add("the traces", tracing.stop);
    const { openMetrics } = await import("#lib/boot/metrics/serve.ts");
    shutdown.add("the metrics", await openMetrics());

    const { apiListener } = await import("#lib/api/listener.ts");
    const { closeHttp, createHttp } = await import("#lib/boot/front/http.ts");
    const http = createHttp(apiListener(), pages.listener);
    pages.attach(http);
    await listen(http, address);
    shutdown.add("the requests", () => closeHttp(http));
    shutdown.add("the browsers", pages.detach);
    const { endFollowers } = await import("#lib/record/follow.ts");
    shutdown.add("the streams", endFollowers);
    if (knowsLocalDomains) shutdown.add("the announcement to the demo", announceService(env.dataDir, env.baseUrl));
  });

  const listening = `listening on ${env.host.includes(":") ? `[${env.host}]` : env.host}:${env.port}`;
  line(`Guildhall is ready at ${env.baseUrl}, ${listening} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  const { firstSteps } = await import("#lib/boot/first-steps.ts");
  for (const text of await firstSteps(env.baseUrl, { hasDemo: knowsLocalDomains, dataDir: process.env.DATA_DIR }))
    line(text);
  const { log } = await import("#lib/kernel/log.ts");
  write = (text) => log().info(text);
}

try {
  await start();
} catch (error) {
  // What fails because the service is stopping needs no message.
  if (!shutdown.begun) {
    await shutdown.run();
    console.error(`\nGuildhall cannot start. ${explain(error)}`);
    process.exit(1);
  }
}

/** Our own errors say what to do. For any other error, the stack is more useful. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ["Error", "EnvError"].includes(error.constructor.name) ? error.message : (error.stack ?? error.message);
}
