/** Writes the ID token of a response for the HTML file of a card, with a mark at the claim that the server made wrong. */

import { showJson, type ShownCheck, showsAll } from "../../../server/pages/token/token_props.ts";
import { tokenFile } from "../../timeline/token_file.tsx";
import { englishToken } from "../../../server/pages/words/token_english.ts";
import { present } from "../../../server/values/present.ts";
import { isJsonObject } from "../../../server/schema/json_object.ts";
import type { KeptRequest } from "./kept_card.ts";
import type { ReportRow } from "./report.ts";

type Row = Pick<ReportRow, "name" | "level" | "rule">;

/** Returns `undefined` if the card has no claims of an ID token: the response had none, or the server could not read it. */
export function formatIdToken(request: KeptRequest, row: Row): string | undefined {
  const { answer, altered } = request;
  const shown = answer?.["id_token"];
  if (!isJsonObject(shown) || !isJsonObject(shown["header"]) || !isJsonObject(shown["claims"])) {
    return undefined;
  }
  const show = (members: unknown) => showJson(JSON.stringify(members), showsAll);
  const isWrong = altered?.some(({ by }) => by === row.name) === true;
  return tokenFile({
    name: "ID token",
    token: { jwt: { header: show(shown["header"]), payload: show(shown["claims"]) } },
    checks: isWrong ? findCheck(row, request) : [],
  });
}

const checkNames = Object.keys(englishToken.checks) as readonly ShownCheck["name"][];

/** Most names of misbehaviours of ID tokens have the claim that is wrong: `id_token.aud_wrong`. Others mark no claim. */
function findCheck({ name, level, rule }: Row, { clientId }: KeptRequest): readonly ShownCheck[] {
  const [area, fault = ""] = name.split(".");
  const check = checkNames.find((each) => fault.startsWith(`${each}_`));
  return area !== "id_token" || level === "tolerate" || check === undefined ? [] : [{
    name: check,
    result: "failed",
    rule,
    ...present({ expected: check === "aud" || check === "azp" ? clientId : undefined }),
  }];
}
