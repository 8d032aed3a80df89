import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { acceptsEncoding, LEAST_BYTES } from "./encodings.ts";

const TYPES: Record<string, string> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
};
const PATH = "/_next/static/";
const compress = promisify(brotliCompress);

/** Writes a Brotli form of every built script and style next to it, once for each build. `dir` contains `.next`. */
export async function compressStatic(dir: string): Promise<void> {
  const folder = join(dir, ".next/static");
  await Promise.all(
    globSync("**/*.{js,css}", { cwd: folder }).map(async (file) => {
      const content = await readFile(join(folder, file));
      if (content.length < LEAST_BYTES) return;
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      await writeFile(join(folder, `${file}.br`), await compress(content, { params }));
    }),
  );
}

/**
 * Sends built scripts and styles from memory to clients that accept Brotli. Their names change with their content, so browsers
 * may keep them. Everything else goes to `others`.
 */
export function serveStatic(dir: string, others: RequestListener): RequestListener {
  const files = readCompressed(join(dir, ".next/static"));
  return (request, response) => {
    const file = request.url?.startsWith(PATH) ? files.get(request.url.split("?", 1)[0] ?? "") : undefined;
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!file || !isRead || request.headers.range || !acceptsEncoding(request.headers["accept-encoding"], "br")) {
      return others(request, response);
    }
    response.writeHead(200, {
      "Content-Type": file.type,
      "Content-Encoding": "br",
      "Content-Length": file.content.length,
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
    });
    response.end(request.method === "HEAD" ? undefined : file.content);
  };
}

type Compressed = { type: string; content: Buffer };

function readCompressed(folder: string): Map<string, Compressed> {
  const files = new Map<string, Compressed>();
  for (const file of existsSync(folder) ? globSync("**/*.br", { cwd: folder }) : []) {
    const name = file.slice(0, -".br".length);
    const type = TYPES[extname(name)];
    const original = statSync(join(folder, name), { throwIfNoEntry: false });
    if (type && original) {
      const url = `${PATH}${name.split(/[\\/]/).map(encodeURIComponent).join("/")}`;
      files.set(url, { type, content: readFileSync(join(folder, file)) });
    }
  }
  return files;
}
