import { isIP } from "node:net";
import { parsePublicHttpsUrl } from "../endpoint-host.ts";

/** Where a development name is served: an IP address without brackets, and a TCP port. */
export interface DevHost {
  address: string;
  port: number;
}

/** Development names (lower case) and where each is served. */
export type DevHosts = ReadonlyMap<string, DevHost>;

const ENTRY = /^([^=\s:/?#@\\]+)=(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})$/i;

/**
 * Reads DEV_HOSTS: `name=ip:port,name=[v6]:port`. Blank text is an empty map; names come out in lower case.
 * @throws Error whose message continues a sentence that begins with "DEV_HOSTS": the wrong entry, and how to fix it
 */
export function parseDevHosts(text: string): Map<string, DevHost> {
  const hosts = new Map<string, DevHost>();
  for (const entry of text.split(",").map((part) => part.trim())) {
    if (entry === "") continue;
    const [name, host] = parseEntry(entry);
    if (hosts.has(name)) throw new Error(`names "${name}" twice: keep one of the entries.`);
    hosts.set(name, host);
  }
  return hosts;
}

function parseEntry(entry: string): [string, DevHost] {
  const match = ENTRY.exec(entry);
  const [, name = "", v6, v4 = "", portText] = match ?? [];
  const port = Number(portText);
  const isAddress = v6 === undefined ? isIP(v4) === 4 : isIP(v6) === 6;
  if (match === null || !isAddress || port < 1 || port > 65_535) {
    throw new Error(
      `has the entry "${entry}": write name=ip:port, such as alpha.test=127.0.0.1:9443 or alpha.test=[::1]:9443.`,
    );
  }
  // A name that no endpoint can have would never be looked up.
  const parsed = parsePublicHttpsUrl(`https://${name}`);
  if (!parsed.ok) throw new Error(`has the name "${name}", which ${parsed.reason}: use one such as alpha.test.`);
  return [parsed.host, { address: v6 ?? v4, port }];
}
