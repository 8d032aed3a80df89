import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

// `/guildhall-sdk.tgz`: the package of this installation, byte for byte as `npm pack` makes it, so that anyone can make it again from
// the source.

type Package = { bytes: Uint8Array<ArrayBuffer>; integrity: string };

let made: (Package & { builtAt: number }) | undefined;

/** The package of the SDK as it is built now; undefined where it is not. */
export function sdkPackage(): Package | undefined {
  const folder = join(process.cwd(), "sdk");
  const builtAt = statSync(join(folder, "dist/index.js"), { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) return undefined;
  if (made?.builtAt !== builtAt) made = { ...packageOf(folder), builtAt };
  return made;
}

function packageOf(folder: string): Package {
  const files = ["bin", "dist"].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  );
  const tar = ["package.json", "README.md", ...files]
    .map((path) => path.replaceAll("\\", "/"))
    .sort(asNpmSorts)
    .flatMap((path) => entryOf(`package/${path}`, readFileSync(join(folder, path)), path.startsWith("bin/")));
  const bytes = gzipSync(Buffer.concat([...tar, Buffer.alloc(1_024)]), { level: 9 });
  // The operating system, in gzip's header: unknown.
  bytes[9] = 255;
  return { bytes: new Uint8Array(bytes), integrity: `sha512-${hash("sha512", bytes, "base64")}` };
}

/** By the ending, then by the file's name, then by the path: files that are alike compress better side by side. */
function asNpmSorts(one: string, other: string): number {
  const keys = (path: string) => [extname(path), path.slice(path.lastIndexOf("/") + 1), path];
  const [a, b] = [keys(one), keys(other)];
  return a.map((key, at) => key.localeCompare(b[at] ?? "", "en")).find((order) => order !== 0) ?? 0;
}

/** npm gives every file of every package this time: 26 October 1985, 8:15. */
const MTIME_SECONDS = 499_162_500;
const BLOCK = 512;

/** A file in the form of POSIX tar (ustar): its header and its bytes, in whole blocks. */
function entryOf(path: string, bytes: Buffer, isProgram: boolean): Buffer[] {
  const header = Buffer.alloc(BLOCK);
  const number = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 2, "0")} `, at, "latin1");
  if (path.length > 100) throw new Error(`${path} is too long for the package.`);
  header.write(path, 0, "latin1");
  number(isProgram ? 0o755 : 0o644, 100, 8);
  number(bytes.length, 124, 12);
  number(MTIME_SECONDS, 136, 12);
  header.write("        0", 148, "latin1");
  header.write("ustar\x0000", 257, "latin1");
  number(0, 329, 8);
  number(0, 337, 8);
  number(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    8,
  );
  header[155] = 0;
  return [header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}
