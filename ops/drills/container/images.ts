import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { run, step } from "./program.ts";

export const ROOT = resolve(import.meta.dirname, "../../..");

/** Images and containers of the drill only. The base image stays there for the next drill. */
const STORAGE = join(ROOT, ".data/drill");
export const BUILDAH = ["--root", join(STORAGE, "storage"), "--runroot", join(STORAGE, "run")];
export const IMAGE = "guildhall:drill";
export const NEXT_IMAGE = "guildhall:next";

const buildah = (args: string[], seconds = 120) => run("buildah", [...BUILDAH, ...args], { seconds });

/** Builds the image of the Dockerfile, and another that stands for the next version. */
export async function buildImages(): Promise<void> {
  await removeContainers();
  const base = /^FROM (\S+)/m.exec(readFileSync(join(ROOT, "Dockerfile"), "utf8"))?.[1] ?? "";
  if (await exists(base)) step(`${base} is there from an earlier drill`);
  else await makeBase(base);
  const began = performance.now();
  // Docker's format has the health check. There is no registry of images, so nothing may be pulled.
  const options = ["--format", "docker", "--isolation", "chroot", "--pull-never", ...(await npmSettings())];
  await buildah(["bud", ...options, "--tag", IMAGE, ROOT], 1_800);
  const seconds = Math.round((performance.now() - began) / 1000);
  const container = await buildah(["from", "--pull-never", IMAGE]);
  const bytes = Number.parseInt(
    await buildah(["run", "--isolation", "chroot", container, "--", "du", "-sb", "/app"]),
    10,
  );
  step(`the image is built in ${seconds} s and adds ${Math.round(bytes / 1e6)} MB to ${base}`);
  await buildah(["config", "--label", "version=next", container]);
  await buildah(["commit", "--rm", container, NEXT_IMAGE]);
}

export async function removeContainers(): Promise<void> {
  await buildah(["rm", "--all"]);
  for (const image of [IMAGE, NEXT_IMAGE]) if (await exists(image)) await buildah(["rmi", image]);
  await buildah(["rmi", "--prune"]);
}

const exists = (image: string) =>
  buildah(["inspect", "--type", "image", image]).then(
    () => true,
    () => false,
  );

/** An image like Docker's of this name: Debian without recommended packages, this Node, npm, and the user `node`. */
async function makeBase(name: string): Promise<void> {
  const suite = /bookworm|trixie/.exec(name)?.[0];
  if (!suite) throw new Error(`The name ${name} has no release of Debian that the drill knows.`);
  const root = join(STORAGE, "base");
  try {
    rmSync(root, { recursive: true, force: true });
    await run("debootstrap", ["--variant=minbase", suite, root], { seconds: 900 });
    for (const folder of ["var/cache/apt/archives", "var/lib/apt/lists"])
      rmSync(join(root, folder), { recursive: true });
    copyFileSync(process.execPath, join(root, "usr/local/bin/node"));
    mkdirSync(join(root, "usr/local/lib/node_modules"), { recursive: true });
    cpSync(npmFolder(), join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
    symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
    await run("chroot", [root, "useradd", "--uid", "1000", "--user-group", "--create-home", "node"]);
    const container = await buildah(["from", "scratch"]);
    await buildah(["copy", "--quiet", container, root, "/"]);
    const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    await buildah(["config", "--env", `PATH=${path}`, container]);
    await buildah(["commit", "--rm", container, name]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  step(`${name} is made of Debian ${suite} and Node ${process.version}`);
}

function npmFolder(): string {
  const { npm_execpath: program } = process.env;
  if (!program || !existsSync(program)) throw new Error("Start the drill with npm run drill, so that it finds npm.");
  return resolve(program, "../..");
}

/** The build uses the registry of this machine, and trusts the certificates that this machine's npm trusts. */
async function npmSettings(): Promise<string[]> {
  const printed = await run("npm", ["config", "get", "registry", "cafile"]);
  const settings = printed.split("\n").filter((line) => !/=(null|undefined)?$/.test(line));
  const file = join(STORAGE, "npmrc");
  writeFileSync(file, settings.join("\n"));
  const cafile = settings.find((line) => line.startsWith("cafile="))?.slice("cafile=".length);
  return [`${file}:/root/.npmrc:ro`, ...(cafile ? [`${cafile}:${cafile}:ro`] : [])].flatMap((each) => [
    "--volume",
    each,
  ]);
}
