import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { fc } from "#testing/seed.ts";
import { parserOf, parseTime } from "./parse-time.ts";

const usual = pg.types.getTypeParser(1184, "text") as (text: string) => Date;

/** As PostgreSQL writes it: without the fraction's last zeros. */
const written = (date: Date) =>
  `${date
    .toISOString()
    .slice(0, -1)
    .replace("T", " ")
    .replace(/\.?0+$/, "")}+00`;

test("every time that the service stores is the one that the driver's parser gives", () => {
  const times = fc.date({
    min: new Date("1900-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(times, (date) => {
      assert.deepEqual(parseTime(`${date.toISOString().slice(0, -1).replace("T", " ")}+00`), date);
      assert.deepEqual(usual(written(date)), parseTime(written(date)));
    }),
  );
});

test("other forms of a time are left to the driver's parser", () => {
  for (const text of [
    ...["2026-11-22 20:24:09+01", "2026-11-22 20:24:09.123456+00", "2026-11-22 20:24:09.5+05:30", "infinity"],
    ...["0044-03-15 12:00:00+00 BC", "0001-01-01 00:00:00+00", "12026-11-22 20:24:09+00"],
  ])
    assert.deepEqual(parseTime(text), usual(text), text);
});

test("other types keep the driver's parsers", () => {
  assert.equal(parserOf(23)("42"), 42);
  assert.deepEqual(parserOf(1009)("{a,b}"), ["a", "b"]);
});
