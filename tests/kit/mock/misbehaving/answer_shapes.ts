/** The members of answers with their types, in a small language, and what differs from them. */

/**
 * Names of members, each a text unless a type follows: `id count:number size:number|null owner:{login} keys:[kid]`.
 * In brackets are the members of each item of a list that has one or more. A type follows the last colon.
 */
export type Shape = string;

const isText = (value: unknown) => typeof value === "string";

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: isText,
  number: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  yes: (value) => value === true,
  null: (value) => value === null,
  absent: (value) => value === undefined,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  list: Array.isArray,
  empty: (value) => Array.isArray(value) && value.length === 0,
  texts: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  numbers: (value) => Array.isArray(value) && value.length > 0 && value.every(Number.isInteger),
  url: (value) => typeof value === "string" && URL.canParse(value),
  digits: (value) => typeof value === "string" && /^\d+$/.test(value),
  jwt: (value) => typeof value === "string" && value.split(".").length === 3,
  slackUser: (value) => /^U[A-Z\d]{8,10}$/.test(String(value)),
  slackTeam: (value) => /^T[A-Z\d]{8}$/.test(String(value)),
};

/** Lists the members that are missing or of another type, and if `exact`, those that the shape has not. */
export function differ(answer: unknown, shape: Shape, exact = false): readonly string[] {
  const tokens = shape.match(/[^\s{}[\]]+|[{}[\]]/g) ?? [];
  type Judge = (value: unknown, at: string) => readonly string[];
  /** Reads the members until the bracket after them. */
  function readMembers(): Judge {
    const members = new Map<string, Judge>();
    for (let token = tokens.shift(); token !== undefined && !"}]".includes(token); token = tokens.shift()) {
      const [, name = "", type = "text"] = /^(.+?)(?::([a-z|]*))?$/i.exec(token)!;
      members.set(
        name,
        type === ""
          ? readNested()
          : (value, at) =>
            type.split("|").some((each) => types[each]!(value))
              ? []
              : [`${at} is ${JSON.stringify(value)}, not ${type}`],
      );
    }
    return (value, at) => {
      if (!types["object"]!(value)) return [`${at} is ${JSON.stringify(value)}, not an object`];
      const found = value as Readonly<Record<string, unknown>>;
      const others = exact ? Object.keys(found).filter((name) => !members.has(name)) : [];
      const differing = [...members].flatMap(([name, judge]) => judge(found[name], `${at}.${name}`));
      return [...differing, ...others.map((name) => `${at}.${name} is in no specification`)];
    };
  }
  function readNested(): Judge {
    const isList = tokens.shift() === "[";
    const judge = readMembers();
    return isList
      ? (value, at) =>
        Array.isArray(value) && value.length > 0
          ? value.flatMap((each, index) => judge(each, `${at}[${index}]`))
          : [`${at} is ${JSON.stringify(value)}, not a list with items`]
      : judge;
  }
  return (tokens[0] === "[" ? readNested() : readMembers())(answer, "");
}

/** Returns what both values have. "…" is in the place of a text that differs, which is random. */
export function common(one: unknown, other: unknown): unknown {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) {
    return one === other ? one : "…";
  }
  if (Array.isArray(one)) return one.map((each, index) => common(each, (other as unknown[])[index]));
  return Object.fromEntries(
    Object.entries(one).map(([name, each]) => [name, common(each, (other as Record<string, unknown>)[name])]),
  );
}
