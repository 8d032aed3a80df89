import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

// As much of curl as the printed examples use, for machines without it: it stands last in the tests' PATH. `.curlrc` may ask for the
// status after the answer.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    request: { type: "string", short: "X" },
    header: { type: "string", short: "H", multiple: true, default: [] },
    data: { type: "string", short: "d" },
    cookie: { type: "string", short: "b" },
    silent: { type: "boolean", short: "s" },
    "show-error": { type: "boolean", short: "S" },
    "fail-with-body": { type: "boolean" },
  },
});
const [url = ""] = positionals;
const headers = new Headers(
  values.header.map((line): [string, string] => [line.split(":")[0] ?? "", line.replace(/^[^:]*:\s*/, "")]),
);
if (values.cookie) headers.set("Cookie", values.cookie);
headers.set("User-Agent", "curl");
const method = values.request ?? (values.data === undefined ? "GET" : "POST");
const answer = await fetch(url, {
  method,
  headers,
  redirect: "manual",
  ...(values.data === undefined ? {} : { body: values.data }),
});
const settings = join(process.env.CURL_HOME ?? "", ".curlrc");
const printsStatus =
  process.env.CURL_HOME && existsSync(settings) && readFileSync(settings, "utf8").includes("%{http_code}");
process.stdout.write((await answer.text()) + (printsStatus ? `\n${answer.status}` : ""));
process.exitCode = values["fail-with-body"] && answer.status >= 400 ? 22 : 0;
