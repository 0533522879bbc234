/** Packed values: each one is read as JSON reads it, also when there are many structures. */
import { assert, assertEquals } from "@std/assert";
import { createPacker } from "../../../src/server/store/packed_value.ts";
import { test } from "../../runner.ts";

const nested = (depth: number): unknown => depth === 0 ? "end" : { inner: [nested(depth - 1)] };

const sparse: unknown[] = [];
sparse[2] = "third";

const values: readonly unknown[] = [
  { status: "active", scope: ["openid", "profile"], at: 1_800_000_000.25, isBrief: true, none: null },
  { status: "active", scope: ["openid"], at: 0, isBrief: true, none: null },
  { status: "", scope: [""], at: -0, isBrief: false, none: null },
  { b: "1", a: "2" },
  { a: "1", b: "2" },
  { a: "1" },
  { a: "1", b: undefined, c: () => {} },
  { a: 1, b: "1", c: "null", d: "true" },
  { a: 1, b: 2, c: 3, d: 4, e: 5 },
  { a: NaN, b: -Infinity, c: 1e-7, d: 2 ** 53, e: 1e21 },
  { text: 'quotes " and \\ and \n and \u2028 and 😀 and \ud800' },
  { text: "a\0b" },
  { "a\0b": "c", "": "d" },
  { [`a":"","b`]: "c" },
  JSON.parse('{"__proto__":{"a":1},"b":2}'),
  JSON.parse('{"__proto__":{"a":2},"b":3}'),
  { at: new Date(0), map: new Map([["a", 1]]), boxed: new String("s") },
  { toJSON: () => ({ other: 1 }) },
  { toJSON: "a text" },
  Object.assign(Object.create({ inherited: 1 }), { own: 2 }),
  Object.assign(Object.create(null), { own: 2 }),
  ...[sparse, [undefined, () => {}], [], {}, [[]], [{}], "", "text", 0, 1.5, true, false, null],
  ...[nested(5), nested(30)],
];

test("packed value: it is read as JSON reads it, each time as a new value", () => {
  for (const value of values) {
    const packer = createPacker();
    const text = JSON.stringify(value);
    for (let round = 0; round < 3; round++) {
      const packed = packer.pack(value)!;
      const read = packer.unpack(packed);
      assertEquals(JSON.stringify(read), text);
      assertEquals(read, JSON.parse(text));
      if (typeof read === "object" && read !== null) assert(packer.unpack(packed) !== read);
    }
  }
});

test("packed value: values of many structures do not disturb each other", () => {
  const packer = createPacker();
  const all = [...values, ...Array.from({ length: 50 }, (_, at) => ({ [`name${at}`]: `${at}` }))];
  const packed = all.map((value) => packer.pack(value)!);
  assertEquals(
    packed.map((each) => packer.unpack(each)),
    all.map((value) => JSON.parse(JSON.stringify(value))),
  );
  assertEquals(new Set(packed.map(({ shape }) => shape)).size, 17);
});

test("packed value: a reader may change what it has read", () => {
  const packer = createPacker();
  const packed = packer.pack({ scope: ["a"], inner: { b: "c" } })!;
  const read = packer.unpack(packed) as { scope: string[]; inner: Record<string, string> };
  read.scope.push("d");
  read.inner["e"] = "f";
  assertEquals(packer.unpack(packed), { scope: ["a"], inner: { b: "c" } });
});

test("packed value: values of the same structure share it, and a structure without a value makes room", () => {
  const packer = createPacker();
  const pack = (at: number) => packer.pack({ [`name${at}`]: "text" })!;
  const first = Array.from({ length: 16 }, (_, at) => pack(at));
  assertEquals(pack(3).shape, first[3]!.shape);
  assertEquals(pack(16).shape, undefined);
  packer.release(first[5]!);
  assertEquals(pack(17).shape === undefined, false);
  assertEquals(pack(5).shape, undefined);
  assertEquals(packer.unpack(pack(5)), { name5: "text" });
});

test("packed value: what JSON cannot represent is not packed", () => {
  const packer = createPacker();
  assertEquals([undefined, () => {}, Symbol("s")].map((value) => packer.pack(value)), [
    ...[undefined, undefined, undefined],
  ]);
});
