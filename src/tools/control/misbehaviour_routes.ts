/** The routes of misbehaviours, each with its verdict. */

import { chooseMisbehaviours, describeMisbehaviour } from "../../kit/faults/choose.ts";
import { type Level, levels, phases } from "../../kit/faults/misbehaviour.ts";
import { type Area, areas, type MisbehaviourName, serverMisbehaviours } from "../../kit/faults/names.ts";
import { outcomes } from "../../kit/faults/outcome.ts";
import type { MisbehaveTerms } from "../../kit/mock/misbehaving/active_misbehaviour.ts";
import type { Misbehaving } from "../../kit/mock/misbehaving/misbehave.ts";
import type { SwitchedMisbehaviour } from "../../kit/mock/misbehaving/switched_on.ts";
import { findByWords, suggestMisbehaviour } from "../../kit/faults/plain_words.ts";
import type { Schema } from "../../ground/schema/schema.ts";
import { present } from "../../ground/values/present.ts";
import { wrongRequest } from "../guard/control_refused.ts";
import { requireNumbered } from "../guard/require_numbered.ts";
import { describeRecorded } from "./journal_routes.ts";
import { recordedRequest } from "./recorded_request_schema.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import { membersOf, resultOf } from "./kit_types.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { Fitting, SchemaOf } from "../../ground/schema/schema_of.ts";

export const misbehaviourLevel: SchemaOf<Level> = schema.oneOf(
  levels,
  "What a standard says about it. must and should: the client has to notice. tolerate: the server is only unusual, and " +
    "the client has to go on. robustness: a correct client goes on, but no rule says so. hardening: it is wise to notice, " +
    "but no rule says so.",
);

export const misbehaviourArea: SchemaOf<Area> = schema.oneOf(areas, "Where the server is wrong.");

export const misbehaviour: Schema = resultOf("DescribedMisbehaviour", {
  name: schema.text("Its name: id_token.alg_none."),
  area: misbehaviourArea,
  level: misbehaviourLevel,
  phase: schema.oneOf(phases, "The part of the client's work that meets it."),
  api: schema.object("How an API must answer, if the fault is in an access token."),
});

const outcome: Schema = schema.oneOf(
  outcomes,
  "pending: the run is not over. noticed: the client refused. unharmed: it showed no check, and did no harm. fooled: " +
    "it went on as if nothing were wrong. tolerated and broke: it went on, or not, where a correct client goes on. " +
    "crashed: its own code failed. not_applicable: it does not do what the fault is about. not_reached: it never met the " +
    "fault. unknown: nothing shows what it did.",
);

export const misbehaviourVerdict: Schema = resultOf("Verdict", {
  outcome,
  requests: schema.list(recordedRequest, "The requests that show it: the ones with wrong answers first."),
});

const ofKit = membersOf<MisbehaveTerms>("MisbehaveTerms");

const misbehaviourOptions = {
  ...ofKit,
  times: schema.count(`${ofKit.times.description}`),
  probability: { ...ofKit.probability, minimum: 0, maximum: 1 },
};

export const activeMisbehaviour: Schema = schema.openObject({
  id: schema.text("Its name in the paths of other calls, for example misbehaviour-1."),
  name: schema.text("The name in the catalogue."),
  ...misbehaviourOptions,
  count: schema.integer("How many answers were wrong."),
  verdict: misbehaviourVerdict,
}, { required: ["id", "name", "count", "verdict"] });

const settleBody = schema.closedObject({
  result: schema.oneOf(
    ["success", "refusal", "none"],
    "How the client's run ended. none: the caller does not know, so only the client's requests count. Default: none.",
  ),
  error: schema.anyText(
    "The error of the client: its name, a colon and its message, for example MismatchingIssuer: the issuer is another " +
      "one. A timeout and a failed connection are no refusal, and an error of the language itself says that the client is " +
      "broken. Only with the result refusal.",
  ),
}, { example: { result: "refusal", error: "MismatchingIssuer: the issuer is another one" } });

type SettleBody = Fitting<typeof settleBody>;

export const misbehaviourRoutes: readonly ControlRoute[] = [
  route("GET /misbehaviours/catalogue", "listCatalogue", {
    summary: "Lists the ways in which the server can be wrong.",
    query: schema.closedObject({
      area: misbehaviourArea,
      level: misbehaviourLevel,
      words: schema.text("Only those that say these words, for example: wrong audience."),
    }, {
      example: { area: "id_token", level: "must" },
    }),
    answer: schema.listOf("misbehaviours", misbehaviour, "The misbehaviours, by area."),
    handle({ query: { area, level, words } }) {
      const choice = { only: area && [area], levels: level && [level] };
      const names = chooseMisbehaviours(choice, "Cannot list the catalogue");
      const found = words === undefined ? names : findByWords(words, names);
      return { misbehaviours: found.map(describeMisbehaviour) };
    },
  }),
  route("GET /misbehaviours", "listMisbehaviours", {
    summary: "Lists the misbehaviours that are on, with their verdicts. Includes those of --misbehave.",
    answer: schema.listOf("misbehaviours", activeMisbehaviour, "Those that are on, the oldest first."),
    handle: ({ parts }) => ({ misbehaviours: parts.switchedOn.misbehaviours.map(describeActive) }),
  }),
  route("POST /misbehaviours", "createMisbehaviour", {
    summary: "Makes the server wrong until the misbehaviour is removed, or until a reset.",
    body: schema.closedObject({ name: schema.text("A name of the catalogue."), ...misbehaviourOptions }, {
      required: ["name"],
      example: { name: "authorization_response.iss_wrong", times: 1 },
    }),
    created: activeMisbehaviour,
    handle({ tenant, parts, body: { name, ...terms } }) {
      tenant.misbehave(requireName(name), terms);
      return describeActive(parts.switchedOn.misbehaviours.at(-1)!);
    },
  }),
  route("GET /misbehaviours/{misbehaviour}", "showMisbehaviour", {
    summary: "Returns the misbehaviour. Its verdict is pending until it is settled.",
    answer: activeMisbehaviour,
    handle: (call) => describeActive(requireMisbehaviour(call)),
  }),
  route("POST /misbehaviours/{misbehaviour}/settle", "settleMisbehaviour", {
    summary:
      "Says that the client's run is over, and returns the verdict. Later calls return the same verdict. The misbehaviour " +
      "stays on until it is removed.",
    body: settleBody,
    answer: misbehaviourVerdict,
    handle: settleMisbehaviour,
  }),
  route("DELETE /misbehaviours/{misbehaviour}", "removeMisbehaviour", {
    summary: "Switches the misbehaviour off.",
    handle: (call) => requireMisbehaviour(call).misbehaving[Symbol.dispose](),
  }),
];

function requireMisbehaviour({ parts, id }: Call): SwitchedMisbehaviour {
  return requireNumbered("misbehaviour", id, parts.switchedOn.misbehaviours);
}

function requireName(name: string): MisbehaviourName {
  const known = serverMisbehaviours.find((each) => each === name);
  if (known !== undefined) return known;
  throw wrongRequest(
    `There is no misbehaviour ${JSON.stringify(name)}${
      suggestMisbehaviour(name, serverMisbehaviours) || "."
    }`,
    "a name of the catalogue of misbehaviours",
    "name",
  );
}

async function settleMisbehaviour(call: Call<SettleBody>): Promise<Reply> {
  const { misbehaving } = requireMisbehaviour(call);
  const { result = "none", error } = call.body;
  if (error !== undefined && result !== "refusal") {
    throw wrongRequest(
      `error is for the result "refusal", and this is "${result}"`,
      'no error, or the result "refusal"',
      "error",
    );
  }
  await misbehaving.settled(createRun(result, error));
  return describeVerdict(misbehaving);
}

function createRun(result: SettleBody["result"], error = "the client refused"): Promise<void> | undefined {
  if (result === "none") return undefined;
  return result === "success" ? Promise.resolve() : Promise.reject(readError(error));
}

/** Reads the name at the start of an error's text, because it tells a refusal from a broken client. Its stack is unknown. */
function readError(text: string): Error {
  const [, name = "Error", message = text] = /^([A-Za-z_][\w.]*): (.*)$/s.exec(text) ?? [];
  return Object.assign(new Error(message), { name, stack: text });
}

function describeActive({ id, terms: { person, ...others }, misbehaving }: SwitchedMisbehaviour): object {
  const { name, count } = misbehaving;
  // A test may have said person.
  return {
    id,
    name,
    ...others,
    ...present({ username: others.username ?? person }),
    count,
    verdict: describeVerdict(misbehaving),
  };
}

function describeVerdict({ verdict: { requests, ...verdict } }: Misbehaving): object {
  return { ...verdict, requests: requests.map(describeRecorded) };
}
