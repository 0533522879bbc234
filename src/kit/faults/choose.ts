/** Chooses misbehaviours by name, area and level, and describes them as data. */

import { describeValue } from "../../ground/schema/received.ts";
import { catalogue } from "./catalogue.ts";
import { describeNeeds } from "./needs.ts";
import type { Level, Misbehaviour } from "./misbehaviour.ts";
import {
  type Area,
  areaOf,
  areas,
  areasOfRequests,
  faultySideOf,
  listVariants,
  type MisbehaviourName,
  misbehaviourNames,
} from "./names.ts";
import { suggestMisbehaviour } from "./plain_words.ts";
import { present } from "../../ground/values/present.ts";

/** Which misbehaviours are meant. Nothing means all of them. */
export interface Choice {
  /** Names of misbehaviours or of areas. */
  readonly only?: readonly string[] | undefined;
  readonly levels?: Level | readonly Level[] | undefined;
}

/** Throws a TypeError for a name that does not exist. The message begins with `doing`. */
export function chooseMisbehaviours({ only, levels }: Choice, doing: string): readonly MisbehaviourName[] {
  const known: readonly string[] = [...areas, ...misbehaviourNames];
  const unknown = only?.find((each) => !known.includes(each));
  if (unknown !== undefined) {
    throw new TypeError(
      `${doing}: there is no misbehaviour or area ${describeValue(unknown)}${
        suggestMisbehaviour(unknown, known)
      }`,
    );
  }
  return misbehaviourNames.filter((name) =>
    (only === undefined || only.some((each) => each === name || each === areaOf(name))) &&
    (levels === undefined || [levels].flat().includes(catalogue.get(name)!.level))
  );
}

/** Leaves out faults in requests to an API. Throws a TypeError if nothing is left. */
export function chooseForClients(choice: Choice, doing: string): readonly MisbehaviourName[] {
  const chosen = chooseMisbehaviours(choice, doing);
  const names = chosen.filter((name) => faultySideOf(name) !== "caller");
  if (names.length > 0) return names;
  throw new TypeError(
    chosen.length > 0
      ? `${doing}: the areas ${
        areasOfRequests.join(" and ")
      } have no fault of a server; examineApi sends them to an API`
      : `${doing}: no chosen misbehaviour has one of the chosen levels`,
  );
}

export interface DescribedMisbehaviour
  extends Pick<Misbehaviour, "level" | "phase" | "server" | "client" | "rule" | "bugs" | "api"> {
  readonly name: MisbehaviourName;
  readonly area: Area;
  /** Which clients can meet it, if not all can. */
  readonly needs?: string;
  /** The variants, if it has several. */
  readonly variants?: readonly string[];
}

export function describeMisbehaviour(name: MisbehaviourName): DescribedMisbehaviour {
  const { level, phase, server, client, rule, needs = [], bugs, api } = catalogue.get(name)!;
  const variants = listVariants(name);
  return {
    name,
    area: areaOf(name),
    level,
    phase,
    server,
    client,
    rule,
    ...present({
      needs: needs.length === 0 ? undefined : describeNeeds(needs),
      variants: variants.length === 0 ? undefined : variants,
      bugs,
      api,
    }),
  };
}
