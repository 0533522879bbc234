/** All races, in the order of the tests. */
import type { NamedRace } from "../race_list.ts";
import { clientDocumentRaces } from "./client_document_races.ts";
import { codeRaces } from "./code_races.ts";
import { deviceLoginRaces } from "./device_login_races.ts";
import { dpopRaces } from "./dpop_races.ts";
import { exchangeRaces } from "./exchange_races.ts";
import { jwtGrantRaces } from "./jwt_grant_races.ts";
import { pushedRequestRaces } from "./pushed_request_races.ts";
import { refreshRaces } from "./refresh_races.ts";
import { registrationRaces } from "./registration_races.ts";
import { secondFactorRaces } from "./second_factor_races.ts";

export const allRaces: readonly NamedRace[] = [
  ...codeRaces,
  ...refreshRaces,
  ...pushedRequestRaces,
  ...deviceLoginRaces,
  ...dpopRaces,
  ...jwtGrantRaces,
  ...exchangeRaces,
  ...registrationRaces,
  ...clientDocumentRaces,
  ...secondFactorRaces,
];
