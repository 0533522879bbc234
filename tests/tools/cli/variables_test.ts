/** The environment variables of `postern start`: their names, their order, and what is refused or ignored. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { CommandError } from "../../../src/tools/cli/terminal/command_error.ts";
import { storeForms } from "../../../src/server/store/open_store.ts";
import { startFlags } from "../../../src/tools/cli/start/start_flags.ts";
import { listVariables, readVariables } from "../../../src/tools/cli/configuration/variables.ts";
import { controlTokenVariable } from "../../../src/tools/guard/control_token.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { inFolder } from "../../in_folder.ts";
import { runWith, withServer } from "./in_process.ts";

type Environment = Readonly<Record<string, string>>;

const read = (environment: Environment, typed: Readonly<Record<string, string | boolean>> = {}) =>
  readVariables(typed, startFlags, environment);

async function flagsOf(...terms: Parameters<typeof read>): Promise<Readonly<Record<string, unknown>>> {
  return (await read(...terms)).flags;
}

async function complaintOf(environment: Environment): Promise<string> {
  const { message, exitCode } = await assertRejects(() => read(environment), CommandError);
  assertEquals([exitCode, message.includes("canary")], [2, false]);
  return message;
}

const switchForm = "1, true, yes or on, or 0, false, no or off";

test("variables: each flag of start has its own, and no two flags share one", () => {
  const all = Object.entries(startFlags).flatMap(([name, flag]) => listVariables(name, flag));
  assertEquals(new Set(all).size, all.length);
  assert(all.every((name) => /^POSTERN_[A-Z_]+$/.test(name)), all.join());
  const named = (name: string) => listVariables(name, startFlags[name]!);
  assertEquals(named("store"), ["POSTERN_STORE", "POSTERN_STORE_FILE"]);
  assertEquals(named("inspector-key"), ["POSTERN_INSPECTOR_KEY", "POSTERN_INSPECTOR_KEY_FILE"]);
  assertEquals(named("metrics"), [
    "POSTERN_METRICS",
    "POSTERN_METRICS_TOKEN",
    "POSTERN_METRICS_TOKEN_FILE",
  ]);
  assertEquals(named("control"), ["POSTERN_CONTROL", controlTokenVariable, `${controlTokenVariable}_FILE`]);
});

test("variables: a flag that was typed wins, and its variable is not read", async () => {
  const environment = { POSTERN_PORT: "9001", POSTERN_ALG: "none", POSTERN_QUIET: "perhaps" };
  const { flags, taken, warnings } = await read(environment, { alg: "ES256", quiet: true });
  assertEquals(flags, { alg: "ES256", quiet: true, port: "9001" } as object);
  assertEquals(taken, [{ variable: "POSTERN_PORT", flag: "port" }]);
  assertEquals(warnings, []);
});

test("variables: a switch takes words for yes and no, and an empty one is not set", async () => {
  for (const word of ["1", "true", "yes", "ON"]) {
    assertEquals(await flagsOf({ POSTERN_NO_INSPECTOR: word }), { "no-inspector": true });
  }
  for (const word of ["0", "false", "no", "Off"]) {
    assertEquals(await flagsOf({ POSTERN_EXPOSE_DEMO: word }), { "expose-demo": false });
  }
  assertEquals(await read({ POSTERN_QUIET: "" }), { flags: {}, taken: [], warnings: [] });
});

test("variables: control and metrics are switched on, off, or have their token", async () => {
  const token = "a-token-of-24-characters";
  const cases: readonly (readonly [Environment, control: string | true | undefined, taken: string])[] = [
    [{ POSTERN_CONTROL: "yes" }, true, "POSTERN_CONTROL"],
    [{ POSTERN_CONTROL: "off" }, undefined, ""],
    [{ POSTERN_CONTROL: "" }, undefined, ""],
    [{ POSTERN_CONTROL: token }, token, "POSTERN_CONTROL"],
    // A token alone does not open the control plane.
    [{ POSTERN_CONTROL_TOKEN: token }, undefined, ""],
    [{ POSTERN_CONTROL: "1", POSTERN_CONTROL_TOKEN: token }, token, "POSTERN_CONTROL POSTERN_CONTROL_TOKEN"],
  ];
  for (const [environment, control, expected] of cases) {
    const { flags, taken } = await read(environment);
    assertEquals(flags, (control === undefined ? {} : { control }) as object);
    assertEquals(taken.map(({ variable }) => variable).join(" "), expected);
  }
});

test("variables: a flag that was typed without its token takes the token of the environment", async () => {
  const control = async (environment: Environment, typed: string | true) =>
    (await flagsOf(environment, { control: typed }))["control"];
  assertEquals(await control({ POSTERN_CONTROL_TOKEN: "a-token" }, true), "a-token");
  assertEquals(await control({ POSTERN_CONTROL: "a-token" }, true), "a-token");
  assertEquals(await control({ POSTERN_CONTROL: "0" }, true), true);
  assertEquals(await control({ POSTERN_CONTROL_TOKEN: "a-token" }, "typed"), "typed");
  assertEquals(await control({}, true), true);
});

test("variables: a wrong value is refused by the name of the variable, without a secret", async () => {
  const cases: readonly (readonly [Environment, complaint: string])[] = [
    [{ POSTERN_PORT: "http" }, 'POSTERN_PORT must be a number from 0 to 65535, not "http"'],
    [{ POSTERN_PORT: "" }, "POSTERN_PORT is empty: set it to a number from 0 to 65535, or unset it"],
    [{ POSTERN_STORE: "" }, `POSTERN_STORE is empty: set it to ${storeForms}, or unset it`],
    [{ POSTERN_STORE: "postgress//ann:canary@db" }, `POSTERN_STORE must be ${storeForms}`],
    [{ POSTERN_INSPECTOR_KEY: "can ary" }, "POSTERN_INSPECTOR_KEY must be"],
    [{ POSTERN_QUIET: "perhaps" }, `POSTERN_QUIET must be ${switchForm}, not "perhaps"`],
    [
      { POSTERN_CONTROL: "the canary" },
      `POSTERN_CONTROL must be ${switchForm}, or a token of letters, digits and the characters - . _ ~ + / only`,
    ],
    [
      { POSTERN_CONTROL: "1", POSTERN_CONTROL_TOKEN: "" },
      "POSTERN_CONTROL_TOKEN is empty: set it to a token of letters, digits and the characters - . _ ~ + / only, or unset it",
    ],
  ];
  for (const [environment, complaint] of cases) {
    const message = await complaintOf(environment);
    assertEquals(
      message.slice(0, complaint === "POSTERN_INSPECTOR_KEY must be" ? complaint.length : undefined),
      complaint,
    );
  }
});

const it = testIn(inFolder);

it("variables: a secret can be in a file, without its final line break", async (path) => {
  const give = async (text: string) => {
    await writeFile(path("secret"), text);
    return path("secret");
  };
  for (const end of ["", "\n", "\r\n"]) {
    const { flags, taken } = await read({ POSTERN_STORE_FILE: await give(`redis://:canary@db${end}`) });
    assertEquals(flags, { store: "redis://:canary@db" } as object);
    assertEquals(taken, [{ variable: "POSTERN_STORE_FILE", flag: "store" }]);
  }
  const token = { POSTERN_METRICS: "1", POSTERN_METRICS_TOKEN_FILE: await give("a-token\n") };
  assertEquals(await flagsOf(token), { metrics: "a-token" });
  assertEquals(await flagsOf({ POSTERN_STORE_FILE: path("none") }, { store: "memory" }), {
    store: "memory",
  });
  assertEquals(
    await complaintOf({ POSTERN_STORE_FILE: path("none") }),
    "POSTERN_STORE_FILE: there is no such file",
  );
  assertEquals(
    await complaintOf({ POSTERN_STORE_FILE: "" }),
    "POSTERN_STORE_FILE is empty: set it to a file, or unset it",
  );
  assertEquals(
    await complaintOf({ POSTERN_STORE_FILE: await give("canary\n\n") }),
    `the text of POSTERN_STORE_FILE must be ${storeForms}`,
  );
  assertEquals(
    await complaintOf({ POSTERN_STORE_FILE: await give("memory"), POSTERN_STORE: "sqlite:canary.db" }),
    "POSTERN_STORE and POSTERN_STORE_FILE are both set: give one",
  );
});

test("variables: those of Kubernetes and of Docker's links are ignored without a word", async () => {
  const injected = {
    POSTERN_PORT: "tcp://10.0.0.1:9000",
    POSTERN_PORT_9000_TCP: "tcp://10.0.0.1:9000",
    POSTERN_PORT_9000_TCP_ADDR: "10.0.0.1",
    POSTERN_PORT_9000_TCP_PORT: "9000",
    POSTERN_PORT_9000_TCP_PROTO: "tcp",
    POSTERN_SERVICE_HOST: "10.0.0.1",
    POSTERN_SERVICE_PORT: "9000",
    POSTERN_SERVICE_PORT_HTTP: "9000",
    POSTERN_NAME: "/shop/postern",
    POSTERN_ENV_NODE_VERSION: "22.1.0",
    // services whose names begin with postern-
    POSTERN_METRICS_PORT: "tcp://10.0.0.2:9000",
    POSTERN_STORE_SERVICE_PORT: "5432",
  };
  assertEquals(await read(injected), { flags: {}, taken: [], warnings: [] });
  for (const scheme of ["tcp", "udp", "sctp"]) {
    const port = { POSTERN_PORT: `${scheme}://10.0.0.1:53` };
    assertEquals(await read(port), { flags: {}, taken: [], warnings: [] });
  }
});

test("variables: an unknown one is a warning if its name is similar to a known one", async () => {
  const { flags, warnings } = await read({
    POSTERN_TRUSTED_PROXY: "10.0.0.1",
    POSTERN_CONTROL_TOKEN_FIEL: "/run/secrets/token",
    POSTERN_CONFIG_FILE: "postern.json",
    POSTERN_CLIENT_SECRET: "canary",
    POSTERN_PASSWORD: "canary",
    POSTERN_URL: "http://postern:9000",
    POSTERN_: "",
  });
  assertEquals(flags, {});
  assertEquals(warnings, [
    "POSTERN_TRUSTED_PROXY is not known: did you mean POSTERN_TRUST_PROXY?",
    "POSTERN_CONTROL_TOKEN_FIEL is not known: did you mean POSTERN_CONTROL_TOKEN_FILE?",
    "POSTERN_CONFIG_FILE is not known: did you mean POSTERN_CONFIG?",
  ]);
});

test("start: a server takes its flags from variables, and its banner names those that took effect", async () => {
  const canary = "canary-key-of-24-letters";
  const env = {
    POSTERN_ALG: "RS256",
    POSTERN_INSPECTOR_KEY: canary,
    POSTERN_LABEL: "shop",
    POSTERN_PORTS: "1",
  };
  const { stdout, stderr } = await withServer([], () => Promise.resolve(), { env });
  assertMatch(stdout, /^ {2}Config {4}From the environment: POSTERN_LABEL, POSTERN_INSPECTOR_KEY$/m);
  assertMatch(stdout, /^ {2}Look .+#key=canary-key-of-24-letters$/m);
  assertEquals(stderr, "postern: POSTERN_PORTS is not known: did you mean POSTERN_PORT?\n");
});

it("start: the configuration file is below the variables, which are in the log of programs, too", async (path) => {
  const file = { issuer: "http://localhost:9000/file", login: "auto", exposeDemo: true };
  await writeFile(path("postern.json"), JSON.stringify(file));
  const env = {
    POSTERN_CONFIG: path("postern.json"),
    POSTERN_LOG: "json",
    POSTERN_ISSUER: "http://localhost:9000/variable",
  };
  await withServer([], ({ stdout }) => {
    const { issuer, config, variables } = JSON.parse(stdout());
    assertEquals([issuer, config], [env.POSTERN_ISSUER, env.POSTERN_CONFIG]);
    assertEquals(variables.toSorted(), Object.keys(env).toSorted());
    return Promise.resolve();
  }, { env });
  const host = { POSTERN_CONFIG: path("postern.json"), POSTERN_HOST: "0.0.0.0", POSTERN_EXPOSE_DEMO: "no" };
  assertEquals(await runWith(host, "start"), {
    code: 2,
    stdout: "",
    stderr: "postern: POSTERN_HOST 0.0.0.0 lets other machines in, and anyone could use the demo clients, " +
      'the demo people and first use of any client_id: configure "clients" and "people" (POSTERN_CONFIG FILE), ' +
      "or add POSTERN_EXPOSE_DEMO\n",
  });
});

test("start: a mistake in a variable is named by the variable, in the log of programs, too", async () => {
  const complaint = async (env: Environment, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await runWith(env, "start", ...args);
    return `${code} ${stdout}${stderr}`;
  };
  assertEquals(
    await complaint({ POSTERN_CONFIG: "/none.json" }),
    "2 postern: POSTERN_CONFIG /none.json: there is no such file\n",
  );
  assertEquals(
    await complaint({ POSTERN_TLS_KEY: "/none.pem" }),
    "2 postern: POSTERN_TLS_KEY needs --tls-cert FILE too\n",
  );
  const reached = { POSTERN_HOST: "0.0.0.0", POSTERN_ISSUER: "https://id.test", POSTERN_EXPOSE_DEMO: "1" };
  assertEquals(
    await complaint({ ...reached, POSTERN_CONTROL_TOKEN: "short" }, "--control"),
    "2 postern: POSTERN_HOST 0.0.0.0 lets other machines in, so --control needs a token of 16 characters or more\n",
  );
  await inFolder(async (path) => {
    await writeFile(path("store"), "postgres://ann:canary@127.0.0.1/shop?sslmode=all");
    assertMatch(
      await complaint({ POSTERN_STORE_FILE: path("store"), POSTERN_PORT: "0" }),
      /^1 postern: Cannot open the store "postgres:\/\/ann@127\.0\.0\.1\/shop": its sslmode /,
    );
  });
  const { code, stdout, stderr } = await runWith({ POSTERN_LOG: "json", POSTERN_PRINT: "env" }, "start");
  assertEquals([code, stderr], [2, ""]);
  const { level, message } = JSON.parse(stdout);
  assertEquals([level, message], [
    "error",
    "POSTERN_LOG json has no place for the settings of POSTERN_PRINT: give one",
  ]);
});

test("start: --no-inspector wins over the key of the environment, but a key that was typed contradicts it", async () => {
  const key = "canary-key-of-24-letters";
  const env = { POSTERN_INSPECTOR_KEY: key };
  const { stdout } = await withServer(["--no-inspector"], () => Promise.resolve(), { env });
  assert(!/^ {2}Look /m.test(stdout), stdout);
  assertEquals(
    (await runWith({ POSTERN_NO_INSPECTOR: "1" }, "start", "--inspector-key", key)).stderr,
    "postern: --inspector-key opens the inspector that POSTERN_NO_INSPECTOR removes: give one\n",
  );
});
