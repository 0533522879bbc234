/** Calls of a store in Postgres that wait at the same time share one statement: one round trip, and one commit. */
import { clearTimeout, setImmediate, setTimeout } from "node:timers";
import { TooLate } from "../deadline.ts";
import type { StatementName } from "../sql.ts";
import { type Connections, template } from "./connections.ts";
import { StatementFailed } from "./failure.ts";
import type { PostgresParameter } from "./postgres_client.ts";
import { dialect } from "./prepare_table.ts";

type SharedName = StatementName & ("read" | "putIfFree" | "putIfVersion");
type Rows = readonly object[];
type Parameters = readonly PostgresParameter[];

/** Runs the statement of one call, alone or with others, and resolves to the rows of this call. */
type RunCall = (name: SharedName, parameters: Parameters, deadline: number) => Promise<Rows>;

interface Call {
  readonly parameters: Parameters;
  readonly deadline: number;
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  readonly name: SharedName;
  readonly text: TemplateStringsArray;
  /** The names of the parameters of a call, in their order. */
  readonly names: readonly string[];
  readonly waiting: Call[];
  running: number;
  isDue: boolean;
}

const { table } = dialect;
// JSON, because one prepared statement then serves any number of calls.
const given = `json_to_recordset(CAST(CAST(? AS TEXT) AS JSON)) AS given
(mark TEXT, kind TEXT, id TEXT, ends DOUBLE PRECISION, text TEXT, condition TEXT, now DOUBLE PRECISION)`;

/** A row belongs to the call with its mark. The mark of a put is the version that it writes. */
const sharedStatements: readonly Pick<Queue, "name" | "text" | "names">[] = [
  {
    name: "read",
    // LIMIT, so that Postgres looks up each key, and never joins with the whole table.
    text: template(`SELECT mark, found.* FROM ${given}, LATERAL (SELECT value, version, expires_at AS expires
FROM ${table} WHERE kind = given.kind AND id = given.id AND expires_at + 0 > given.now LIMIT 1) AS found`),
    names: ["kind", "id", "now"],
  },
  {
    name: "putIfFree",
    text: template(`INSERT INTO ${table} (kind, id, version, expires_at, value)
SELECT kind, id, mark, ends, text FROM ${given} ON CONFLICT (kind, id) DO UPDATE
SET version = excluded.version, expires_at = excluded.expires_at, value = excluded.value
WHERE ${table}.expires_at <= ? RETURNING version AS mark`),
    names: ["kind", "id", "mark", "ends", "text", "now"],
  },
  {
    name: "putIfVersion",
    text: template(
      `UPDATE ${table} AS record SET version = mark, expires_at = ends, value = text FROM ${given}
WHERE record.kind = given.kind AND record.id = given.id AND record.version = condition
AND record.expires_at + 0 > now RETURNING mark`,
    ),
    names: ["mark", "ends", "text", "kind", "id", "condition", "now"],
  },
];

/** While this many statements of one name run, further calls wait, so that the next statement has more of them. */
const mostRunning = 2;
const mostCalls = 64;
/** Milliseconds after which a statement, which may wait for a lock, holds up no other one. */
const slowAfter = 50;

/**
 * Returns a function that shares the statements of calls. If the database refuses a shared statement, nothing is written,
 * and each of its calls runs alone. So a call does not fail because of another one.
 */
export function shareStatements(connections: Connections, runAlone: RunCall): RunCall {
  const queues = new Map(
    sharedStatements.map((each): [SharedName, Queue] => [
      each.name,
      { ...each, waiting: [], running: 0, isDue: false },
    ]),
  );

  /** Waits for the end of the turn, in which other requests may make calls. */
  function plan(queue: Queue): void {
    if (queue.isDue || queue.running >= mostRunning || queue.waiting.length === 0) return;
    queue.isDue = true;
    setImmediate(() => {
      queue.isDue = false;
      void runNext(queue);
    });
  }

  async function runNext(queue: Queue): Promise<void> {
    const calls = takeCalls(queue);
    queue.running++;
    plan(queue);
    let isCounted = true;
    const makeRoom = () => {
      if (isCounted) queue.running--;
      isCounted = false;
      plan(queue);
    };
    const timer = setTimeout(makeRoom, slowAfter);
    await runCalls(queue, calls);
    clearTimeout(timer);
    makeRoom();
  }

  async function runCalls(queue: Queue, calls: readonly Call[]): Promise<void> {
    if (calls.length > 1 && !calls.some(isLate)) {
      try {
        const rows = await runTogether(queue, calls, connections);
        return calls.forEach(({ resolve }, place) => resolve(rows[place]!));
      } catch (error) {
        if ((error as StatementFailed).mayHaveRun) return calls.forEach(({ reject }) => reject(error));
      }
    }
    await Promise.all(calls.map(async (call) => {
      const { parameters, deadline, resolve, reject } = call;
      // A statement that the store has given up must not run.
      if (isLate(call)) reject(new StatementFailed(new TooLate("there is no answer"), false));
      else await runAlone(queue.name, parameters, deadline).then(resolve, reject);
    }));
  }

  return (name, parameters, deadline) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(name)!;
      queue.waiting.push({ parameters, deadline, resolve, reject });
      plan(queue);
    });
}

function isLate({ deadline }: Call): boolean {
  return performance.now() >= deadline;
}

/** Takes the oldest calls out of the queue. Creations must have one time, and no two of them one key. */
function takeCalls({ name, waiting }: Queue): readonly Call[] {
  if (name !== "putIfFree") return waiting.splice(0, mostCalls);
  const now = waiting[0]!.parameters.at(-1);
  const calls = new Map<string, Call>();
  const later: Call[] = [];
  for (const call of waiting.splice(0)) {
    const [kind, id] = call.parameters;
    const key = `${kind}\n${id}`;
    if (calls.size === mostCalls || calls.has(key) || call.parameters.at(-1) !== now) later.push(call);
    else calls.set(key, call);
  }
  waiting.push(...later);
  return [...calls.values()];
}

/** Resolves to the rows of each call. */
async function runTogether(
  { text, names }: Queue,
  calls: readonly Call[],
  connections: Connections,
): Promise<readonly Rows[]> {
  const records = calls.map(({ parameters }, place) => {
    // As texts, because JSON has no infinity.
    const record: Record<string, string> = { mark: `${place}` };
    for (const [index, name] of names.entries()) record[name] = `${parameters[index]}`;
    return record;
  });
  const keyOf = ({ kind, id }: typeof records[number]) => `${kind}\n${id}`;
  // Two processes that change the same records lock them in one order.
  const sorted = records.toSorted((one, other) => keyOf(one) < keyOf(other) ? -1 : 1);
  const parameters = [JSON.stringify(sorted), calls[0]!.parameters.at(-1)!].slice(0, text.length - 1);
  const deadline = Math.min(...calls.map((call) => call.deadline));
  const rows = await connections.run(text, parameters, deadline) as readonly { readonly mark?: string }[];
  const found = new Map(rows.map((row) => [row.mark, row]));
  return records.map(({ mark }) => found.has(mark) ? [found.get(mark)!] : []);
}
