/**
 * `serve.ts postgres redis`: starts these servers for all test runs at once, prints the environment variables that name
 * them as JSON, and ends them when its standard input ends. It leaves out a server that cannot start on this machine.
 */
import process from "node:process";
import { findPostgresProblem, startQuickPostgres } from "./start_postgres.ts";
import { findRedisProblem, startRedis } from "./start_redis.ts";

const servers = [
  {
    name: "postgres",
    variable: "POSTERN_TEST_POSTGRES",
    findProblem: findPostgresProblem,
    start: startQuickPostgres,
  },
  { name: "redis", variable: "POSTERN_TEST_REDIS", findProblem: findRedisProblem, start: startRedis },
];

const chosen = servers.filter(({ name, findProblem }) =>
  process.argv.includes(name) && findProblem() === undefined
);
const started = await Promise.all(
  chosen.map(async ({ variable, start }) => ({ variable, ...await start() })),
);
console.log(JSON.stringify(Object.fromEntries(started.map(({ variable, url }) => [variable, url]))));
for await (const _ of process.stdin);
await Promise.all(started.map(({ end }) => end()));
process.exit();
