import { generateClient } from "#lib/db/generate.ts";
import { keepOthersFromWriting } from "#lib/kernel/files/umask.ts";

// `npm run admin -- COMMAND …`: works with or without a running service, prints JSON, and exits with 1 on an error.
process.chdir(import.meta.dirname);
keepOthersFromWriting();
Object.assign(process.env, { NODE_ENV: "production" });

try {
  // Everything else needs the database's client, which a fresh clone does not have yet.
  await generateClient();
  const { runCommandLine } = await import("#lib/boot/command-line.ts");
  const answer = await runCommandLine(process.argv.slice(2));
  console.log(typeof answer === "string" ? answer : JSON.stringify({ ok: true, ...answer }, null, 2));
  // A command that looks for faults has found some.
  if (typeof answer === "object" && "ok" in answer && !answer.ok) process.exitCode = 1;
} catch (error) {
  const { code = "failed", message, help } = error as Error & { code?: string; help?: string };
  // A mistake in the arguments is explained to people, too.
  if (help !== undefined) console.error([message, help].filter(Boolean).join("\n"));
  console.log(JSON.stringify({ ok: false, error: { code, message } }, null, 2));
  process.exitCode = 1;
}
