/** The pages in docs/reference, by the names of their files. */
import { writeCommandLine } from "./command_line.ts";
import { writeConfiguration } from "./configuration.ts";
import { writeControlPlane } from "./control_plane.ts";
import { writeEndpoints } from "./endpoints.ts";
import { writeFeatures } from "./features.ts";
import { writeLibraries } from "./libraries.ts";
import { writeLifetimes } from "./lifetimes.ts";
import { writeLookAlikeSurvey } from "./look_alike_survey.ts";
import { writeLookAlikes } from "./look_alikes.ts";
import { writeMisbehaviours } from "./misbehaviours.ts";
import { writeRefusals } from "./refusals.ts";
import { writeTestKit } from "./test_kit.ts";
import type { Page } from "./markdown.ts";

export const pages: Readonly<Record<string, () => Page | Promise<Page>>> = {
  command_line: writeCommandLine,
  configuration: writeConfiguration,
  lifetimes: writeLifetimes,
  endpoints: writeEndpoints,
  features: writeFeatures,
  test_kit: writeTestKit,
  refusals: writeRefusals,
  misbehaviours: writeMisbehaviours,
  libraries: writeLibraries,
  look_alikes: writeLookAlikes,
  look_alike_survey: writeLookAlikeSurvey,
  control_plane: writeControlPlane,
};
