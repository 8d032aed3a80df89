import assert from "node:assert/strict";
import { test } from "node:test";
import { reissueToken } from "#lib/admin/reissue.ts";
import { pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { SCOPE_NAMES, type Scope } from "#lib/kernel/scopes.ts";
import { withAccess } from "#testing/access.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome } from "#testing/client.ts";
import { callAs, succeeded, type TestAgent } from "#testing/factories.ts";
import {
  agentAndOwner,
  obtainCode,
  type Program,
  redeemCode,
  refresh,
  registerProgram,
  type Tokens,
} from "#testing/oauth.ts";
import { callAsOwner, type TestOwner } from "#testing/owner.ts";
import { fc, SEED } from "#testing/seed.ts";
import { servedService } from "#testing/served.ts";

// Tokens of one agent, created, used, removed, refreshed, reused and reissued in any order, against a model of what each may do. The
// model has one rule: a token can do what it was created with, for as long as nothing has ended it, and nothing ever widens it.

servedService();

const SEQUENCES = Number(process.env.MODEL_SEQUENCES ?? 40);
const KEPT = 3;

type Token = { token: string; id?: string; scopes: Scope[]; most: number | null; live: boolean; of?: Connection };
type Connection = { id: string; program: Program; scopes: Scope[]; current: string; old: string[]; live: boolean };
type World = { agent: TestAgent; owner: TestOwner; tokens: Token[]; connections: Connection[]; connects: boolean };

/** What a call needs; `amount` is what it would agree to. */
const CALLS = [
  { needs: "read", path: "/api/v1/jobs/inbox.php", method: "GET" },
  { needs: "report", path: "/api/v1/agents/heartbeat.php", method: "POST", fields: { health_status: "busy" } },
  { needs: "offers", path: "/api/v1/agents/skills.php", method: "POST", fields: { skills: ["translation"] } },
  { needs: "order", path: "/api/v1/jobs/create.php", method: "POST", amount: 300 },
  { needs: null, path: "/api/v1/agents/webhook.php", method: "GET" },
  { needs: null, path: "/api/v1/agents/access.php", method: "GET" },
] as const;

/** What the model says about a call. */
function expected(token: Token, { needs, ...rest }: (typeof CALLS)[number]): string {
  if (!token.live) return "401 invalid_credential";
  const has = needs === "read" || (needs !== null && token.scopes.includes(needs));
  if (!has) return "403 insufficient_scope";
  return "amount" in rest && token.most !== null && rest.amount > token.most ? "403 gate_refused" : "allowed";
}

async function use({ agent }: World, token: Token, at: number): Promise<void> {
  const called = CALLS[at % CALLS.length] ?? CALLS[0];
  const order = { brief: "B", budget_pence: 300, client_request_id: newId("req") };
  const given = "fields" in called ? called.fields : "amount" in called ? order : {};
  const answer = await callAs({ ...agent, token: token.token }, called.method, called.path, given);
  const got = outcome(answer);
  assert.equal(/^2/.test(got) ? "allowed" : got, expected(token, called), `${called.path} with ${token.scopes}`);
}

function end(world: World, which: (token: Token) => boolean): void {
  for (const token of world.tokens) if (which(token)) token.live = false;
}

function endConnection(world: World, connection: Connection): void {
  connection.live = false;
  end(world, ({ of }) => of === connection);
}

function issued(world: World, connection: Connection, { access_token, refresh_token, scope }: Tokens): void {
  assert.deepEqual(scope.split(" "), connection.scopes, "a refreshed token has what the owner allowed");
  connection.current = refresh_token;
  world.tokens.push({ token: access_token, scopes: connection.scopes, most: 100, live: true, of: connection });
  for (const token of world.tokens.filter(({ of }) => of === connection).slice(0, -KEPT)) token.live = false;
}

const pick = <Item>(items: Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)];
const inOrder = (scopes: Scope[]) => SCOPE_NAMES.filter((name) => scopes.includes(name));

type Command = [kind: string, at: number, scopes: Scope[], most: number | null];

const COMMANDS: Record<string, (world: World, command: Command) => Promise<void>> = {
  async create(world, [, , scopes, most]) {
    const { token, accessId } = await withAccess(world.agent, scopes, { max_price_pence: most });
    world.tokens.push({ token, id: accessId, scopes: inOrder(scopes), most, live: true });
  },
  async use(world, [, at]) {
    const token = pick(world.tokens, at);
    if (token) await use(world, token, Math.floor(at / 7));
  },
  async createWithOne(world, [, at]) {
    const token = pick(world.tokens, at);
    if (!token) return;
    const fields = { name: "More", scopes: SCOPE_NAMES };
    const answer = await callAs(
      { ...world.agent, token: token.token },
      "POST",
      "/api/v1/agents/access_create.php",
      fields,
    );
    assert.equal(outcome(answer), token.live ? "403 insufficient_scope" : "401 invalid_credential");
  },
  async remove(world, [, at]) {
    const token = pick(
      world.tokens.filter(({ of }) => !of),
      at,
    );
    if (!token?.id) return;
    const answer = await callAs(world.agent, "POST", "/api/v1/agents/access_remove.php", { access_id: token.id });
    assert.equal(outcome(answer), token.live ? "200" : "404 not_found");
    token.live = false;
  },
  async expire(world, [, at]) {
    const token = pick(
      world.tokens.filter(({ of }) => !of),
      at,
    );
    if (!token?.id) return;
    await pool().query("UPDATE access_tokens SET expires_at = now() - interval '1 second' WHERE id = $1", [token.id]);
    token.live = false;
  },
  async leak(world, [, at]) {
    const token = pick(world.tokens, at);
    if (!token) return;
    succeeded(await call("POST", "/api/v1/agents/report_leak.php", { body: { secret: token.token } }));
    token.live = false;
  },
  async connect(world, [, , scopes]) {
    if (!world.connects || world.connections.length > 1) return;
    const program = await registerProgram();
    const resource = `${env().baseUrl}/api/v1`;
    const chosen = inOrder(scopes);
    const code = (await obtainCode(world, program, { scopes: chosen, max_price_pence: 100, resource })).get("code");
    const response = await redeemCode(program, code ?? "", { resource });
    const { rows } = await pool().query("SELECT id FROM oauth_connections WHERE client_id = $1", [program.clientId]);
    const connection = { id: rows[0].id, program, scopes: chosen, current: "", old: [], live: true };
    world.connections.push(connection);
    issued(world, connection, (await response.json()) as Tokens);
  },
  async refresh(world, [, at]) {
    const connection = pick(world.connections, at);
    if (!connection) return;
    const { program, current } = connection;
    const response = await refresh(program, current, { resource: `${env().baseUrl}/api/v1` });
    assert.equal(response.status, connection.live ? 200 : 400);
    if (!connection.live) return;
    connection.old.push(current);
    issued(world, connection, (await response.json()) as Tokens);
  },
  async reuse(world, [, at]) {
    const connection = pick(world.connections, at);
    const old = connection && pick(connection.old, at);
    if (!connection || !old) return;
    assert.equal((await refresh(connection.program, old, { resource: `${env().baseUrl}/api/v1` })).status, 400);
    endConnection(world, connection);
  },
  async disconnect(world, [, at]) {
    const connection = pick(world.connections, at);
    if (!connection) return;
    const fields = { connection_id: connection.id };
    const answer = await callAsOwner(world.owner, "POST", "/api/v1/owners/disconnect.php", fields);
    assert.equal(outcome(answer), connection.live ? "200" : "404 not_found");
    endConnection(world, connection);
  },
  async reissue(world) {
    const { publicId } = world.agent;
    await pool().query(
      "UPDATE identities SET held_at = now() - interval '1 minute', domain_checked_at = now() WHERE id = $1",
      [publicId],
    );
    const { management_token: token } = await reissueToken(admin, { publicId, reason });
    await pool().query("UPDATE identities SET held_at = NULL WHERE id = $1", [publicId]);
    const former = { token: world.agent.token, scopes: [], most: null, live: false };
    world.agent = { ...world.agent, token };
    for (const connection of world.connections) endConnection(world, connection);
    end(world, () => true);
    await use(world, former, 0);
  },
};

const kinds = ["create", "create", "use", "use", "use", "createWithOne", "remove", "expire", "leak"];
const command = fc.tuple(
  fc.constantFrom(...kinds, "connect", "refresh", "refresh", "reuse", "disconnect", "reissue"),
  fc.nat(10_000),
  fc.uniqueArray(fc.constantFrom(...SCOPE_NAMES), { minLength: 1, maxLength: 3 }),
  fc.constantFrom(null, 100, 300),
);

test("whatever happens to the tokens of an agent, none can do more than it was created with, or anything after its end", async (t) => {
  const sequences = fc.sample(fc.array(command, { minLength: 3, maxLength: 12 }), { numRuns: SEQUENCES, seed: SEED });
  let uses = 0;
  for (const [number, sequence] of sequences.entries()) {
    const world: World = { ...(await agentAndOwner()), tokens: [], connections: [], connects: number % 4 === 0 };
    for (const each of sequence) await COMMANDS[each[0]]?.(world, each as Command);
    // In the end every token is what the model says.
    for (const [at, token] of world.tokens.entries()) {
      uses += 1;
      await use(world, token, number + at);
    }
  }
  t.diagnostic(`${SEQUENCES} sequences from seed ${SEED}, ${uses} tokens`);
});
