/** The files of `--snapshot` and `--write-snapshot`: what a server had when it ended, and another one starts with. */

import { rm } from "node:fs/promises";
import type { RunningTenant } from "../../../kit/mock/running_tenant.ts";
import type { Mock } from "../../../kit/mock/mock.ts";
import type { RunningMock, TenantState } from "../../../kit/mock/running_mock.ts";
import type { KeptRecord } from "../../../kit/mock/server/records.ts";
import { present } from "../../../ground/values/present.ts";
import { type ClockState, latestTime } from "../../../kit/mock/conditions/clock.ts";
import { checkSchema } from "../../../ground/schema/check_schema.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import { keySets } from "../../../server/setup/key_set.ts";
import {
  anyText,
  constant,
  list,
  number,
  object,
  openObject,
  text,
} from "../../../ground/schema/schema_of.ts";
import type { BannerAddition } from "./banner.ts";
import { CommandError, failed } from "../terminal/command_error.ts";
import { readJsonFile } from "../configuration/json_file.ts";
import { describeRecords, findWrongRecord } from "./snapshot_records.ts";
import type { StartFlags } from "./start_flags.ts";
import { writeNewFile } from "../configuration/text_file.ts";

interface SnapshotFile {
  /** The version of the form of the file. */
  readonly postern_snapshot: 1;
  readonly issuer: string;
  /** The server itself, which has an empty name, and its tenants. */
  readonly servers: readonly (Omit<TenantState, "registered"> & { readonly name: string })[];
}

function describeFile(records: Schema): Schema {
  return openObject({
    postern_snapshot: constant(1),
    issuer: text(),
    servers: {
      ...list(openObject({
        name: anyText(),
        people: list(object()),
        clients: list(object()),
        clock: openObject({ ahead: number(), skew: number(), frozenAt: number() }, {
          required: ["ahead", "skew"],
        }),
        records,
      })),
      minItems: 1,
    },
  });
}

export interface SnapshotPlan {
  readonly from?: { readonly path: string; readonly file: SnapshotFile };
  readonly to?: { readonly path: string; readonly withKeys: boolean };
}

export async function planSnapshot(
  { snapshot, "write-snapshot": path, "with-keys": withKeys = false }: StartFlags,
  issuer: string,
): Promise<SnapshotPlan> {
  if (withKeys && path === undefined) throw new CommandError("--with-keys needs --write-snapshot FILE too");
  const from = snapshot === undefined ? undefined : await readSnapshot(snapshot, issuer);
  if (path === undefined) return present({ from });
  // A mistake is reported now, and not when the server ends.
  await writeNewFile(path, "", advice, mode);
  await rm(path);
  return { ...present({ from }), to: { path, withKeys } };
}

const advice = "Choose another name for --write-snapshot";
const mode = 0o600;

async function readSnapshot(path: string, issuer: string): Promise<SnapshotPlan["from"] & object> {
  const { value } = await readJsonFile(path, `--snapshot ${path}`);
  requireForm(value, describeFile(list(object())), path);
  const file = value as SnapshotFile;
  if (file.issuer === issuer) return { path, file };
  throw new CommandError(
    `--snapshot ${path} is of the issuer ${file.issuer}, and this server has ${issuer}: its tokens would not fit`,
  );
}

function requireForm(value: unknown, schema: Schema, path: string): void {
  const wrong = checkSchema(value, schema);
  if (wrong !== undefined) refuseFile(path, `${wrong.place || "the file"} ${wrong.problem}`);
}

function refuseFile(path: string, problem: string): never {
  throw new CommandError(
    `--snapshot ${path}: ${problem}. No server with --write-snapshot has written this file`,
  );
}

/** Checks all that the server would trust. People and clients are checked as those of a configuration. */
async function requireFit(
  { path, file }: SnapshotPlan["from"] & object,
  { services }: RunningTenant,
): Promise<void> {
  requireForm(file, describeFile(describeRecords(services.slots)), path);
  const names = file.servers.map(({ name }) => name);
  if (names[0] !== "") refuseFile(path, "servers[0].name must be empty: the server itself comes first");
  for (const [index, { name, clock, records }] of file.servers.entries()) {
    const place = `servers[${index}]`;
    if (names.indexOf(name) !== index) refuseFile(path, `${place}.name must be another one than before`);
    if (!isClock(clock)) refuseFile(path, `${place}.clock must give a time from 1970 to 5138`);
    const problem = await findWrongRecord(records, `${place}.records`);
    if (problem !== undefined) refuseFile(path, problem);
  }
}

function isClock({ frozenAt, ahead, skew }: ClockState): boolean {
  const now = frozenAt ?? Date.now() / 1000 + ahead;
  return [now, now + skew].every((each) => each >= 0 && each <= latestTime);
}

/** Restores the snapshot, and returns how the server writes one when it ends. No caller of the server can do either. */
export async function openSnapshot(
  { from, to }: SnapshotPlan,
  runningMock: RunningMock<Mock>,
): Promise<{ readonly writeSnapshot?: () => Promise<void> }> {
  if (from !== undefined) await requireFit(from, runningMock.root);
  try {
    const states = from?.file.servers.map(({ name, ...state }) => [name, state] as const);
    if (states !== undefined) await runningMock.mock.restore(runningMock.adopt(new Map(states)));
    if (to !== undefined) runningMock.requireOwnRecords(`write ${to.path}`);
  } catch (cause) {
    const file = from === undefined ? "" : `--snapshot ${from.path}: `;
    throw failed(file + (cause as Error).message, cause);
  }
  if (to === undefined) return {};
  const { path, withKeys } = to;
  return {
    async writeSnapshot() {
      const content = runningMock.snapshots.get(await runningMock.mock.snapshot())!;
      const servers = [...content].map(([name, { registered: _, records, ...state }]) => ({
        ...{ name, ...state },
        records: records.filter((each) => withKeys || !isKeySet(each)),
      }));
      const file: SnapshotFile = { postern_snapshot: 1, issuer: runningMock.mock.issuer, servers };
      await writeNewFile(path, `${JSON.stringify(file)}\n`, advice, mode);
    },
  };
}

export function describeSnapshot({ from, to }: SnapshotPlan): readonly BannerAddition[] {
  if ((from ?? to) === undefined) return [];
  const lines: string[] = [];
  if (from !== undefined) {
    lines.push(`People, clients, grants and sessions are those of ${from.path}.`);
    if (!from.file.servers.some(({ records }) => records.some(isKeySet))) {
      lines.push("Its tokens do not verify if other keys than those of this server signed them.");
    }
  }
  if (to !== undefined) lines.push(`The server writes ${to.path} when it ends.`);
  const members = present({ snapshot: from?.path, writes_snapshot: to?.path });
  return [{ title: "Snapshot", lines, copied: [], members }];
}

const isKeySet = ({ kind }: KeptRecord) => kind === keySets.name;
