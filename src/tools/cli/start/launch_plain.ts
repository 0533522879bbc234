/** Creates the servers of a start without the test kit: one, or one for each name of an issuer, with their dashboard. */

import { createRecorder, type Recorder, type RecorderOptions } from "../../../kit/mock/journal/recorder.ts";
import { createBegunIssuers, noteRecords } from "../../../kit/mock/begun_issuers.ts";
import type { Journal } from "../../../server/oauth/contracts/journal.ts";
import { findProfile, pathOfDemoResource, type PathProfile } from "../../../server/oauth/contracts/paths.ts";
import { createAssembledServer } from "../../../server/server.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import type { ServerOptions } from "../../../server/setup/server_options.ts";
import { partOfStore, type Store } from "../../../server/store/store.ts";
import type { DashboardOptions } from "../../dashboard/dashboard_options.ts";
import { loadDashboard } from "./dashboard.ts";
import { createIssuers } from "./issuers.ts";
import type { Plan } from "./plan.ts";
import type { AnsweringServer } from "./answering_server.ts";
import { present } from "../../../ground/values/present.ts";

interface PlainOptions {
  readonly store: Store;
  readonly journal?: Journal;
  readonly dashboard: DashboardOptions | undefined;
}

export interface PlainLaunch {
  readonly server: AnsweringServer;
  /** Creates the servers of a changed configuration. */
  readonly launch: (configuration: Configuration) => AnsweringServer;
  /** Ends the streams of events of the dashboard, which have no end of their own. */
  readonly endStreams: () => void;
}

export async function launchPlain(
  plan: Plan,
  { store, journal, dashboard }: PlainOptions,
): Promise<PlainLaunch> {
  const profile = findProfile(plan.configuration.paths);
  const begun = createBegunIssuers(() => Date.now() / 1000);
  const creator = dashboard === undefined
    ? createWithoutDashboard(plan)
    : await createWatching(dashboard, profile);
  const create = (options: ServerOptions) => creator.create({ ...options, ...present({ journal }) });
  const launch = (configuration: Configuration) =>
    !profile.namesIssuers ? create({ ...configuration, store }) : createIssuers({
      issuer: plan.settings.issuer,
      also: configuration.also ?? [],
      profile,
      begun,
      demoResource: pathOfDemoResource(configuration.demoResource),
      create: (issuer, name, noteRecord) =>
        create({ ...configuration, issuer, store: noteRecords(partOfStore(store, name), noteRecord) }),
      onEnd: creator.forget,
    });
  return { server: launch(plan.configuration), launch, endStreams: creator.endStreams };
}

interface Creator extends Pick<PlainLaunch, "endStreams"> {
  readonly create: (options: ServerOptions) => AnsweringServer;
  readonly forget: (issuer: string) => void;
}

function createWithoutDashboard({ isReached }: Plan): Creator {
  return {
    create: (options) => createAssembledServer(options, { isReached, growingPeople: "in memory" }).server,
    forget() {},
    endStreams() {},
  };
}

// For each of up to 100 issuers.
const smallBounds: RecorderOptions = { limit: 1000, mostOctets: 2_500_000 };

async function createWatching(terms: DashboardOptions, profile: PathProfile): Promise<Creator> {
  const { createDashboard, createWatchedServer } = await loadDashboard();
  const dashboard = createDashboard(terms);
  // A server that replaces another one, after a change of the configuration, goes on with its journal.
  const recorders = new Map<string | undefined, Recorder>();
  return {
    create(options) {
      const recorder = recorders.get(options.issuer) ??
        createRecorder(profile.namesIssuers ? smallBounds : {});
      recorders.set(options.issuer, recorder);
      return createWatchedServer(options, { dashboard, terms, recorder });
    },
    forget: (issuer) => void recorders.delete(issuer),
    endStreams: dashboard.close,
  };
}
