/**
 * How this command was started, so that what it says to run next works as printed: npx finds it in a project, where a shell does not.
 * npm gives what it runs these variables.
 */
export const startedAs = ({ npm_command, npm_lifecycle_script = "" }: Record<string, string | undefined>): string =>
  npm_command === "exec" && /^["']?guildhall\b/.test(npm_lifecycle_script) ? "npx --no-install guildhall" : "guildhall";

export const GUILDHALL = startedAs(process.env);
