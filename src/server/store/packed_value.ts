/** Keeps JSON values in little memory: values of the same structure share their member names, and each has its own leaves. */

/** The structure of a value. A text and a number are leaves, and differ from one value to the next. */
type Structure = "text" | "number" | boolean | null | readonly Structure[] | Members;

interface Members {
  readonly names: readonly string[];
  readonly members: readonly Structure[];
  /** The first value, because a copy of an object is cheaper than one that grows by each member. */
  readonly first: object;
}

interface Shape {
  readonly structure: Structure;
  /** How many values have it. */
  uses: number;
}

export interface PackedValue {
  /** Absent: the leaves are the whole JSON text. */
  readonly shape: Shape | undefined;
  readonly leaves: string;
}

export interface Packer {
  /** Returns `undefined` if JSON cannot represent the value. */
  pack(value: unknown): PackedValue | undefined;
  /** Returns the value that `JSON.parse` would return, a new one each time. */
  unpack(packed: PackedValue): unknown;
  /** Each packed value is released once. */
  release(packed: PackedValue): void;
}

const separator = "\0";

// Values of further structures are kept as JSON text, because clients choose some structures.
const mostShapes = 16;

// A value may contain itself.
const mostDepth = 20;

/** Creates a packer for values that have few structures. */
export function createPacker(): Packer {
  const shapes: Shape[] = [];

  function findShape(value: unknown): PackedValue | undefined {
    for (const shape of shapes) {
      const leaves: string[] = [];
      if (!takeLeaves(value, shape.structure, leaves)) continue;
      shape.uses++;
      return { shape, leaves: leaves.join(separator) };
    }
    return undefined;
  }

  function learn(value: unknown): PackedValue | undefined {
    const structure = describe(value, mostDepth);
    if (structure === undefined) return undefined;
    if (shapes.length === mostShapes) {
      const unused = shapes.findIndex(({ uses }) => uses === 0);
      if (unused < 0) return undefined;
      shapes.splice(unused, 1);
    }
    shapes.push({ structure, uses: 0 });
    return findShape(value);
  }

  return {
    pack(value) {
      const found = findShape(value);
      if (found !== undefined) return found;
      // The text shows what JSON changes, for example that it leaves out a member without a value.
      const text = JSON.stringify(value) as string | undefined;
      if (text === undefined) return undefined;
      const plain = JSON.parse(text);
      return findShape(plain) ?? learn(plain) ?? { shape: undefined, leaves: text };
    },
    unpack: ({ shape, leaves }) =>
      shape === undefined
        ? JSON.parse(leaves)
        : fill(shape.structure, { leaves: leaves.split(separator), next: 0 }),
    release({ shape }) {
      if (shape !== undefined) shape.uses--;
    },
  };
}

/** Returns false for a value with another structure, and for one that JSON would change. */
function takeLeaves(value: unknown, structure: Structure, leaves: string[]): boolean {
  if (typeof value === "string") {
    if (structure !== "text" || value.includes(separator)) return false;
    leaves.push(value);
    return true;
  }
  if (typeof value === "number") {
    if (structure !== "number" || !Number.isFinite(value)) return false;
    leaves.push(String(value));
    return true;
  }
  if (typeof value !== "object" || value === null) return value === structure;
  if (typeof structure !== "object" || structure === null || "toJSON" in value) return false;
  if (Array.isArray(value)) {
    if (!Array.isArray(structure) || structure.length !== value.length) return false;
    for (let at = 0; at < value.length; at++) if (!takeLeaves(value[at], structure[at], leaves)) return false;
    return true;
  }
  if (Array.isArray(structure) || Object.getPrototypeOf(value) !== Object.prototype) return false;
  const { names, members } = structure as Members;
  let count = 0;
  for (const name in value) if (name !== names[count++]) return false;
  if (count !== names.length) return false;
  for (let at = 0; at < count; at++) {
    const member = (value as Record<string, unknown>)[names[at]!];
    if (!takeLeaves(member, members[at]!, leaves)) return false;
  }
  return true;
}

/** Returns `undefined` for a value that its leaves cannot give back. */
function describe(value: unknown, depth: number): Structure | undefined {
  if (typeof value === "string") return value.includes(separator) ? undefined : "text";
  if (typeof value === "number") return "number";
  if (typeof value !== "object" || value === null) return value as boolean | null;
  if (depth === 0) return undefined;
  const members = Object.values(value).map((member) => describe(member, depth - 1));
  if (!members.every((member) => member !== undefined)) return undefined;
  return Array.isArray(value) ? members : { names: Object.keys(value), members, first: value };
}

interface Cursor {
  readonly leaves: readonly string[];
  next: number;
}

function fill(structure: Structure, cursor: Cursor): unknown {
  if (structure === "text") return cursor.leaves[cursor.next++];
  if (structure === "number") return Number(cursor.leaves[cursor.next++]);
  if (typeof structure !== "object" || structure === null) return structure;
  if (Array.isArray(structure)) return structure.map((each) => fill(each, cursor));
  const { names, members, first } = structure as Members;
  const value: Record<string, unknown> = { ...first };
  for (let at = 0; at < names.length; at++) value[names[at]!] = fill(members[at]!, cursor);
  return value;
}
