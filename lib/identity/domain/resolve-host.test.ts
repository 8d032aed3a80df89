import assert from "node:assert/strict";
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { describe, it, type TestContext } from "node:test";
import { createResolve } from "./resolve-host.ts";

type Type = "A" | "AAAA" | "CNAME";
type Reply = { rcode?: number; records?: { type: Type; data: string }[] } | "silence";

const TYPE_NUMBERS: Record<Type, number> = { A: 1, CNAME: 5, AAAA: 28 };
const NXDOMAIN = 3;
const SERVFAIL = 2;

// A name server on 127.0.0.1 that answers each question as configured, and records it.
async function serveNames(t: TestContext, replyTo: (type: Type) => Reply) {
  const questions: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (message: Buffer, peer: RemoteInfo) => {
    const { name, type, end } = readQuestion(message);
    questions.push(`${type} ${name}`);
    const reply = replyTo(type);
    if (reply !== "silence") socket.send(writeAnswer(message, end, reply), peer.port, peer.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  t.after(() => socket.close());
  return { resolve: createResolve([`127.0.0.1:${socket.address().port}`]), questions };
}

function readQuestion(message: Buffer): { name: string; type: Type; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1) === 28 ? "AAAA" : "A", end: at + 5 };
}

function writeAnswer(question: Buffer, end: number, { rcode = 0, records = [] }: Exclude<Reply, "silence">): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 | rcode, 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  const answers = records.map(({ type, data }) => {
    const body = Buffer.from(data, "hex");
    const fixed = Buffer.alloc(12);
    fixed.writeUInt16BE(0xc00c, 0);
    fixed.writeUInt16BE(TYPE_NUMBERS[type], 2);
    fixed.writeUInt16BE(1, 4);
    fixed.writeUInt16BE(body.length, 10);
    return Buffer.concat([fixed, body]);
  });
  return Buffer.concat([header, question.subarray(12, end), ...answers]);
}

const A: Reply = {
  records: [
    { type: "A", data: "01010101" },
    { type: "A", data: "7f000001" },
  ],
};
const AAAA: Reply = { records: [{ type: "AAAA", data: "26064700000000000000000000001111" }] };
const V4 = [
  { address: "1.1.1.1", family: 4 },
  { address: "127.0.0.1", family: 4 },
];
const V6 = [{ address: "2606:4700::1111", family: 6 }];
const never = new AbortController().signal;

describe("a name is resolved to all of its addresses", () => {
  const cases: [name: string, a: Reply, aaaa: Reply, expected: object[]][] = [
    ["both families", A, AAAA, [...V4, ...V6]],
    ["IPv4 alone", A, {}, V4],
    ["IPv6 alone", {}, AAAA, V6],
    ["IPv4 where the question for IPv6 fails", A, { rcode: SERVFAIL }, V4],
    ["IPv6 where the question for IPv4 fails", { rcode: SERVFAIL }, AAAA, V6],
    ["none, for a name without addresses", {}, {}, []],
    ["none, for a name that does not exist", { rcode: NXDOMAIN }, { rcode: NXDOMAIN }, []],
  ];
  for (const [name, a, aaaa, expected] of cases) {
    it(name, async (t) => {
      const { resolve } = await serveNames(t, (type) => (type === "A" ? a : aaaa));
      assert.deepEqual(await resolve("alpha.test", never), expected);
    });
  }

  it("asks for exactly the name, with nothing appended", async (t) => {
    const { resolve, questions } = await serveNames(t, () => ({ rcode: NXDOMAIN }));
    await resolve("alpha.test", never);
    assert.deepEqual(new Set(questions), new Set(["A alpha.test", "AAAA alpha.test"]));
  });

  it("knows nothing of the hosts file", async (t) => {
    const { resolve } = await serveNames(t, () => ({ rcode: NXDOMAIN }));
    assert.deepEqual(await resolve("localhost.localdomain", never), []);
  });
});

describe("a name that cannot be looked up is an error, not a name without addresses", () => {
  for (const rcode of [SERVFAIL, 5]) {
    it(`answer code ${rcode}`, async (t) => {
      const { resolve } = await serveNames(t, () => ({ rcode }));
      await assert.rejects(resolve("alpha.test", never));
    });
  }
});

it("a name server that keeps silent is left when the signal aborts", async (t) => {
  const asked = Promise.withResolvers<void>();
  const { resolve } = await serveNames(t, () => {
    asked.resolve();
    return "silence";
  });
  const controller = new AbortController();
  const resolving = resolve("alpha.test", controller.signal);
  await asked.promise;
  controller.abort();
  await assert.rejects(resolving, { name: "AbortError" });
});
