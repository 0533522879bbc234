/** What only Node has: its runner for the store contract. */

import { test } from "node:test";
import { prove } from "./server_uses.mts";

prove(test);
