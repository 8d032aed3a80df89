import pg from "pg";
import type { DataSet } from "./data.ts";
import { type GrowthOptions, type GrowthRow, get, pick, type Read, series, WARM_UP, WORK_READS } from "./growth.ts";
import { openCaller } from "./open-loop.ts";
import type { Running } from "./processes.ts";
import { median, percentile, round } from "./statistics.ts";

/** Many identities that cannot be matched, each with many offers that are cheaper than all others. */
type Flood = { what: string; domain: "unverified" | "verified"; offersEach: number };

const IDENTITIES = 1_000;
const FLOODS: Flood[] = [
  // As many as could be stored before quotas existed.
  { what: "60,000 offers of unverified identities", domain: "unverified", offersEach: 60 },
  { what: "50,000 offers of verified agents that report nothing", domain: "verified", offersEach: 50 },
];

const READS: Read[] = [
  ...WORK_READS.filter(({ name }) => name === "match"),
  { name: "offers, newest", most: 1.5, call: () => get("/api/v1/agents/offers.php") },
  {
    name: "offers, rare words",
    most: 1.5,
    call: (_data, random) => get(`/api/v1/agents/offers.php?q=${pick(["twinned+crystals", "brass+band"], random)}`),
  },
];

/** The 95th percentile of single reads before and after a flood of offers, which is removed afterwards. */
export async function measureFloods(
  data: DataSet,
  service: Running,
  { requests, rounds }: GrowthOptions,
  log: (line: string) => void,
): Promise<GrowthRow[]> {
  const client = new pg.Client({ connectionString: data.url });
  await client.connect();
  const caller = openCaller(service.url, 1);
  const p95 = async (read: Read) => {
    await series(caller, data, read, WARM_UP);
    const turns: number[] = [];
    for (let turn = 0; turn < rounds; turn++) turns.push(percentile(await series(caller, data, read, requests), 95));
    return round(median(turns));
  };
  const rows: GrowthRow[] = [];
  try {
    // An interrupted run may have left its flood behind.
    await drain(client);
    for (const flood of FLOODS) {
      await data.refreshHealth();
      const before = new Map<Read, number>();
      for (const read of READS) before.set(read, await p95(read));
      await pour(client, data, flood);
      await data.refreshHealth();
      for (const read of READS) {
        // Offers of verified agents belong in the lists of offers.
        if (flood.domain === "verified" && read.name !== "match") continue;
        const [smallMs, largeMs] = [before.get(read) ?? 0, await p95(read)];
        const ratio = round(largeMs / smallMs);
        const row = { read: `${read.name}, beside ${flood.what}`, smallMs, largeMs, ratio, most: read.most };
        log(`  ${row.read}: ${row.smallMs} ms → ${row.largeMs} ms = ${row.ratio}`);
        rows.push(row);
      }
      await drain(client);
    }
    return rows;
  } finally {
    caller.close();
    await drain(client);
    await client.end();
  }
}

const ID = (prefix: string, seed: string) =>
  `'${prefix}_' || left(translate(encode(sha256((${seed})::bytea), 'hex'), '0', 'z'), 22)`;

async function pour(client: pg.Client, { skills }: DataSet, { domain, offersEach }: Flood): Promise<void> {
  await client.query(
    `INSERT INTO identities (id, token_digest, name, description, endpoint, host, skills, created_at, updated_at, verification_token, domain_status)
     SELECT ${ID("agt", "'flood' || n")}, sha256(('flood' || n)::bytea), 'Flood ' || n, 'One of many.', 'https://flood-' || n || '.example/',
       'flood-' || n || '.example', ARRAY(SELECT s FROM unnest($1::text[]) WITH ORDINALITY AS given (s, k) ORDER BY (k + n) % $2::int LIMIT 20),
       now(), now(), 'ghv_', $3::domain_status
     FROM generate_series(1, ${IDENTITIES}) n`,
    [skills, skills.length, domain],
  );
  await client.query(
    `INSERT INTO offers (id, identity_id, skill, description, input, output, limits, price_pence, enabled, created_at, updated_at)
     SELECT ${ID("ofr", "i.id || n")}, i.id, i.skills[1 + n % cardinality(i.skills)], 'Twinned crystals and a brass band.', 'Text', 'Text', 'None',
       n % 10, true, now(), now()
     FROM identities i, generate_series(1, $1::int) n WHERE i.host LIKE 'flood-%.example'`,
    [offersEach],
  );
  await client.query("VACUUM (ANALYZE) identities, offers");
}

async function drain(client: pg.Client): Promise<void> {
  await client.query(
    "DELETE FROM offers WHERE identity_id IN (SELECT id FROM identities WHERE host LIKE 'flood-%.example')",
  );
  await client.query("DELETE FROM identities WHERE host LIKE 'flood-%.example'");
  await client.query("VACUUM (ANALYZE) identities, offers");
}
