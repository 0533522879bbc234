/** Splits a JSON text into lines, one for each member. It parses no value, so that large numbers stay as they are. */

export interface JsonLine {
  /** The number of objects and lists around the line. */
  readonly depth: number;
  /** The name of the member. An element of a list and a closing bracket have that of the list or the object. */
  readonly name: string;
  /** The name with those of the members around it, for example `address.locality`. */
  readonly path: string;
  /** The name of the member as it is written, with its colon: `"exp": `. Empty for an element of a list. */
  readonly label: string;
  /** The value as it is written, or the bracket that opens or closes it. */
  readonly value: string;
  /** `whole`: the line has the whole value, which is a scalar, a list of scalars, or empty. */
  readonly kind: "whole" | "opens" | "closes";
  readonly end: "," | "";
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

// In characters. The path of a deeper member is its name.
const longestPath = 200;

interface Open extends Pick<JsonLine, "name" | "path"> {
  readonly isObject: boolean;
}

/** `text` must be JSON. A deep value needs no deep stack. */
export function* splitJson(text: string): Iterable<JsonLine> {
  const found = text.match(tokens) ?? [];
  const open: Open[] = [];
  for (let at = 0; at < found.length; at++) {
    if (found[at] === ",") continue;
    if (isClosing(found[at])) {
      const { name, path } = open.pop()!;
      const [depth, value] = [open.length, found[at]!];
      yield { depth, name, path, label: "", value, kind: "closes", end: commaAt(at + 1) };
      continue;
    }
    const outer = open.at(-1) ?? { name: "", path: "", isObject: false };
    const label = outer.isObject ? found[at]! : undefined;
    if (label !== undefined) at += 2;
    const line = {
      depth: open.length,
      label: label === undefined ? "" : `${label}: `,
      ...label === undefined ? { name: outer.name, path: outer.path } : nameMember(JSON.parse(label), outer),
    };
    const last = endOfScalars(found, at);
    if (last === undefined) {
      open.push({ name: line.name, path: line.path, isObject: found[at] === "{" });
      yield { ...line, value: found[at]!, kind: "opens", end: "" };
      continue;
    }
    const value = found.slice(at, last + 1).map((each) => each === "," ? ", " : each).join("");
    at = last;
    yield { ...line, value, kind: "whole", end: commaAt(at + 1) };
  }

  function commaAt(at: number): JsonLine["end"] {
    return found[at] === "," ? "," : "";
  }
}

function nameMember(name: string, { path }: Open): Pick<JsonLine, "name" | "path"> {
  return { name, path: path === "" || path.length > longestPath ? name : `${path}.${name}` };
}

function isClosing(token: string | undefined): boolean {
  return token === "}" || token === "]";
}

/** Returns where a value ends that is a scalar, a list of scalars, or empty. */
function endOfScalars(found: readonly string[], start: number): number | undefined {
  if (found[start] === "{") return found[start + 1] === "}" ? start + 1 : undefined;
  if (found[start] !== "[") return start;
  for (let at = start + 1; at < found.length; at++) {
    if (found[at] === "]") return at;
    if (found[at] === "[" || found[at] === "{") return undefined;
  }
  return undefined;
}
